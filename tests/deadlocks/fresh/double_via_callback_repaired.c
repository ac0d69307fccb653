#include <pthread.h>
#include <stdio.h>

typedef void (*each_fn)(int id, void *ctx);

static pthread_mutex_t players_lock = PTHREAD_MUTEX_INITIALIZER;
static int players[16];
static int nplayers;

static void players_each(each_fn fn, void *ctx)
{
    pthread_mutex_lock(&players_lock);
    for (int i = 0; i < nplayers; i++)
        fn(players[i], ctx);
    pthread_mutex_unlock(&players_lock);
}

static int players_count(void)
{
    int n;

    pthread_mutex_lock(&players_lock);
    n = nplayers;
    pthread_mutex_unlock(&players_lock);
    return n;
}

static void players_join(int id)
{
    pthread_mutex_lock(&players_lock);
    if (nplayers < 16)
        players[nplayers++] = id;
    pthread_mutex_unlock(&players_lock);
}

struct greeting { int sum; int others; };

static void greet(int id, void *ctx)
{
    struct greeting *g = ctx;

    g->sum += id * g->others;
}

static void *lobby(void *arg)
{
    struct greeting g = { 0, players_count() };

    players_each(greet, &g);
    *(int *)arg = g.sum;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int sum = 0;

    players_join(1);
    players_join(2);
    pthread_create(&t, NULL, lobby, &sum);
    players_join(3);
    pthread_join(t, NULL);
    printf("%d\n", sum);
    return 0;
}
