#include <pthread.h>
#include <stdio.h>

#define CAP 10

struct waiters {
    pthread_mutex_t lock;
    int ids[CAP];
    int n;
};

static struct waiters w = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int waiters_add(struct waiters *ws, int id)
{
    printf("adding %d\n", id);
    pthread_mutex_lock(&ws->lock);
    if (ws->n >= CAP) {
        pthread_mutex_unlock(&ws->lock);
        return -1;
    }
    ws->ids[ws->n++] = id; /* NOSTALE-CHECK */
    pthread_mutex_unlock(&ws->lock);
    return 0;
}

static int waiters_pop(struct waiters *ws)
{
    int id = -1;

    pthread_mutex_lock(&ws->lock);
    if (ws->n > 0)
        id = ws->ids[--ws->n];
    pthread_mutex_unlock(&ws->lock);
    return id;
}

static void *arriver(void *arg)
{
    for (int i = 0; i < 30; i++)
        waiters_add(&w, i);
    return arg;
}

static void *server(void *arg)
{
    for (int i = 0; i < 20; i++)
        waiters_pop(&w);
    return arg;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], NULL, arriver, NULL);
    pthread_create(&t[1], NULL, arriver, NULL);
    pthread_create(&t[2], NULL, server, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
