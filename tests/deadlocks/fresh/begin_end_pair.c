#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* A transaction holds the store's lock from begin to commit or rollback. */
struct store {
    pthread_mutex_t lock;
    int data[8], saved[8];
    int depth;
};

static void tx_begin(struct store *s)
{
    pthread_mutex_lock(&s->lock);
    for (int i = 0; i < 8; i++)
        s->saved[i] = s->data[i];
    s->depth++;
}

static void tx_commit(struct store *s)
{
    s->depth--;
    pthread_mutex_unlock(&s->lock);
}

static void tx_rollback(struct store *s)
{
    for (int i = 0; i < 8; i++)
        s->data[i] = s->saved[i];
    s->depth--;
    pthread_mutex_unlock(&s->lock);
}

static int tx_move(struct store *s, int from, int to, int n)
{
    tx_begin(s);
    s->data[from] -= n;
    s->data[to] += n;
    if (s->data[from] < 0) {
        tx_rollback(s);
        return -1;
    }
    if (s->data[to] > 100)
        return -2; /* LEAK */
    tx_commit(s);
    return 0;
}

static struct store store = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void *mover(void *arg)
{
    int *who = arg;

    for (int i = 0; i < 50; i++)
        tx_move(&store, *who, 7 - *who, i);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int zero = 0, one = 1;

    for (int i = 0; i < 8; i++)
        store.data[i] = 90;
    pthread_create(&a, NULL, mover, &zero);
    pthread_create(&b, NULL, mover, &one);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
