#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct cursor {
    pthread_mutex_t *tree_lock;
    int pos;
    int locked;
};

static pthread_mutex_t tree_lock = PTHREAD_MUTEX_INITIALIZER;
static int keys[32], nkeys = 8;

static int cursor_open(struct cursor *c)
{
    c->tree_lock = &tree_lock;
    pthread_mutex_lock(c->tree_lock);
    if (nkeys == 0) {
        pthread_mutex_unlock(c->tree_lock);
        return -1;
    }
    c->pos = 0;
    c->locked = 1;
    return 0;
}

static int cursor_next(struct cursor *c, int *key)
{
    if (c->pos >= nkeys)
        return 0;
    *key = keys[c->pos++];
    return 1;
}

static void cursor_close(struct cursor *c)
{
    if (c->locked) {
        c->locked = 0;
        pthread_mutex_unlock(c->tree_lock);
    }
}

static int contains(int key)
{
    struct cursor c = { 0 };
    int k;

    if (cursor_open(&c) < 0)
        return 0;
    while (cursor_next(&c, &k))
        if (k == key)
        {
            return 1; /* LEAK */
        }
    cursor_close(&c);
    return 0;
}

static void *prober(void *arg)
{
    int n = 0;

    for (int i = 0; i < 40; i++)
        n += contains(i % 12);
    *(int *)arg = n;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int x, y;

    for (int i = 0; i < 8; i++)
        keys[i] = i;
    pthread_create(&a, NULL, prober, &x);
    pthread_create(&b, NULL, prober, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return x - y;
}
