#include <pthread.h>
#include <stdlib.h>

struct ledger { pthread_mutex_t lock; long sum; };

static struct ledger *ledger_new(long sum)
{
    struct ledger *l = malloc(sizeof *l);

    pthread_mutex_init(&l->lock, NULL);
    l->sum = sum;
    return l;
}

static void merge(struct ledger *into, struct ledger *from)
{
    pthread_mutex_lock(&into->lock);
    pthread_mutex_lock(&from->lock); /* DEADLOCK */
    into->sum += from->sum;
    from->sum = 0;
    pthread_mutex_unlock(&from->lock);
    pthread_mutex_unlock(&into->lock);
}

static struct ledger *east, *west;

static void *eastward(void *arg)
{
    for (int i = 0; i < 50; i++)
        merge(east, west);
    return arg;
}

static void *westward(void *arg)
{
    for (int i = 0; i < 50; i++)
        merge(west, east);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    east = ledger_new(10);
    west = ledger_new(20);
    pthread_create(&a, NULL, eastward, NULL);
    pthread_create(&b, NULL, westward, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
