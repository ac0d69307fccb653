#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct chan {
    pthread_mutex_t lock;
    int fds[2];
    int state;
    int errors;
};

static struct chan ch = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int open_pair(int fds[2])
{
    fds[0] = rand() % 2 ? 3 : -1;
    fds[1] = 4;
    return fds[0] < 0 ? -1 : 0;
}

static void chan_fail(struct chan *c, const char *why)
{
    pthread_mutex_lock(&c->lock);
    c->errors++;
    c->state = 0;
    pthread_mutex_unlock(&c->lock);
    fprintf(stderr, "%s\n", why);
}

static int chan_open(struct chan *c)
{
    pthread_mutex_lock(&c->lock);
    if (c->state) {
        pthread_mutex_unlock(&c->lock);
        return 0;
    }
    if (open_pair(c->fds) < 0) {
        pthread_mutex_unlock(&c->lock);
        chan_fail(c, "open");
        return -1;
    }
    c->state = 1;
    pthread_mutex_unlock(&c->lock);
    return 0;
}

static void chan_close(struct chan *c)
{
    pthread_mutex_lock(&c->lock);
    c->state = 0;
    pthread_mutex_unlock(&c->lock);
}

static void *user(void *arg)
{
    for (int i = 0; i < 20; i++)
        if (chan_open(arg) == 0)
            chan_close(arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, user, &ch);
    pthread_create(&b, NULL, user, &ch);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
