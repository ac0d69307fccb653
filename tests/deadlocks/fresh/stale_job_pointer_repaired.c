#include <pthread.h>
#include <stdlib.h>

struct job { int prio; struct job *next; };

static pthread_mutex_t q_mu = PTHREAD_MUTEX_INITIALIZER;
static struct job *head;

static int boost(void)
{
    pthread_mutex_lock(&q_mu);
    if (head == NULL) {
        pthread_mutex_unlock(&q_mu);
        return 0;
    }
    head->prio++; /* NOSTALE-CHECK */
    pthread_mutex_unlock(&q_mu);
    return 1;
}

static void push(int prio)
{
    struct job *j = malloc(sizeof *j);

    j->prio = prio;
    pthread_mutex_lock(&q_mu);
    j->next = head;
    head = j;
    pthread_mutex_unlock(&q_mu);
}

static void clear(void)
{
    struct job *j;

    pthread_mutex_lock(&q_mu);
    j = head;
    head = NULL;
    pthread_mutex_unlock(&q_mu);
    while (j) {
        struct job *n = j->next;
        free(j);
        j = n;
    }
}

static void *booster(void *arg)
{
    for (int i = 0; i < 100; i++)
        boost();
    return arg;
}

static void *feeder(void *arg)
{
    for (int i = 0; i < 100; i++) {
        push(i);
        clear();
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, booster, NULL);
    pthread_create(&b, NULL, feeder, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
