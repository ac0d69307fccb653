#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct job { int cost; };
struct sched {
    pthread_mutex_t mu;
    struct job *best;
    int ran;
};

static struct sched sched = { .mu = PTHREAD_MUTEX_INITIALIZER };

static void report(int cost)
{
    printf("best costs %d\n", cost);
}

static void sched_run(struct sched *s)
{
    int cost;

    pthread_mutex_lock(&s->mu);
    if (s->best == NULL)
        goto out;
    cost = s->best->cost;
    pthread_mutex_unlock(&s->mu);
    report(cost);
    pthread_mutex_lock(&s->mu);
    if (s->best == NULL)
        goto out;
    s->ran += s->best->cost; /* NOSTALE-CHECK */
    free(s->best);
    s->best = NULL;
out:
    pthread_mutex_unlock(&s->mu);
}

static void sched_offer(struct sched *s, int cost)
{
    struct job *j = malloc(sizeof *j);

    j->cost = cost;
    pthread_mutex_lock(&s->mu);
    if (!s->best || s->best->cost > cost) {
        free(s->best);
        s->best = j;
        j = NULL;
    }
    pthread_mutex_unlock(&s->mu);
    free(j);
}

static void *runner(void *arg)
{
    for (int i = 0; i < 50; i++)
        sched_run(arg);
    return NULL;
}

static void *offerer(void *arg)
{
    for (int i = 0; i < 50; i++)
        sched_offer(arg, 50 - i);
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], NULL, runner, &sched);
    pthread_create(&t[1], NULL, runner, &sched);
    pthread_create(&t[2], NULL, offerer, &sched);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
