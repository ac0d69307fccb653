#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lobby = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t match = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t matched = PTHREAD_COND_INITIALIZER;
static int waiting, pairs;

static void wait_match(void)
{
    pthread_mutex_lock(&match);
    while (pairs == 0)
        pthread_cond_wait(&matched, &match);
    pairs--;
    pthread_mutex_unlock(&match);
}

static void announce(void)
{
    pthread_mutex_lock(&match);
    pairs++;
    pthread_cond_broadcast(&matched);
    pthread_mutex_unlock(&match);
}

static void *player(void *arg)
{
    pthread_mutex_lock(&lobby);
    waiting++;
    pthread_mutex_unlock(&lobby);
    wait_match();
    pthread_mutex_lock(&lobby);
    waiting--;
    pthread_mutex_unlock(&lobby);
    return arg;
}

static void *maker(void *arg)
{
    for (int done = 0; !done;) {
        pthread_mutex_lock(&lobby);
        done = waiting > 0;
        pthread_mutex_unlock(&lobby);
        if (done)
            announce();
    }
    return arg;
}

int main(void)
{
    pthread_t p, m;

    pthread_create(&p, NULL, player, NULL);
    pthread_create(&m, NULL, maker, NULL);
    pthread_join(p, NULL);
    pthread_join(m, NULL);
    return 0;
}
