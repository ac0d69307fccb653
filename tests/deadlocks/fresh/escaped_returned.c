#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct conf { int port; char host[32]; };

static pthread_rwlock_t conf_lock = PTHREAD_RWLOCK_INITIALIZER;
static struct conf *active;

static int conf_port(void)
{
    struct conf *c;

    pthread_rwlock_rdlock(&conf_lock);
    c = active;
    pthread_rwlock_unlock(&conf_lock);
    if (!c)
        return 80;
    return c->port; /* ESCAPED */
}

static void conf_reload(int port)
{
    struct conf *fresh = calloc(1, sizeof *fresh);
    struct conf *old;

    fresh->port = port;
    pthread_rwlock_wrlock(&conf_lock);
    old = active;
    active = fresh;
    pthread_rwlock_unlock(&conf_lock);
    free(old);
}

static void *listener(void *arg)
{
    long sum = 0;

    for (int i = 0; i < 100; i++)
        sum += conf_port();
    *(long *)arg = sum;
    return NULL;
}

static void *signals(void *arg)
{
    for (int i = 0; i < 100; i++)
        conf_reload(8000 + i);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    long sum;

    pthread_create(&a, NULL, listener, &sum);
    pthread_create(&b, NULL, signals, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%ld\n", sum);
    return 0;
}
