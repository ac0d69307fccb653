#include <pthread.h>
#include <stdio.h>

struct dict { pthread_rwlock_t rw; int n; };

static struct dict d = { PTHREAD_RWLOCK_INITIALIZER, 0 };

static void finish(struct dict *x)
{
    x->n++;
    pthread_rwlock_unlock(&x->rw);
}

static int add(struct dict *x, int v)
{
    pthread_rwlock_wrlock(&x->rw);
    if (v < 0) {
        pthread_rwlock_unlock(&x->rw);
        return -1;
    }
    finish(x);
    return 0;
}

static void *adder(void *arg)
{
    for (int i = -2; i < 10; i++)
        add(arg, i);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, adder, &d);
    pthread_create(&b, NULL, adder, &d);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
