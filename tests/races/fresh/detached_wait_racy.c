#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_done = PTHREAD_COND_INITIALIZER;
static int running;
static int best = -1;
static char best_by[16];

static void *probe(void *name)
{
    int value = 0;
    for (const char *p = name; *p; p++)
        value = value * 31 + *p;

    pthread_mutex_lock(&mu);
    if (value > best) {
        best = value; // RACE!
        snprintf(best_by, sizeof best_by, "%s", (char *)name);
    }
    if (--running == 0)
        pthread_cond_signal(&all_done);
    pthread_mutex_unlock(&mu);
    return NULL;
}

static void launch(const char *name)
{
    pthread_t t;
    pthread_mutex_lock(&mu);
    running++;
    pthread_mutex_unlock(&mu);
    pthread_create(&t, NULL, probe, (void *)name);
    pthread_detach(t);
}

int main(void)
{
    launch("ada");
    launch("grace");
    launch("jean");
    printf("%d %s\n", best, best_by); // RACE!
    return 0;
}
