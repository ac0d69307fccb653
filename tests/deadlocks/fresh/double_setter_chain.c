#include <pthread.h>
#include <stdio.h>

struct thermostat { pthread_mutex_t mu; double target, low, high; };

static void set_target(struct thermostat *t, double v)
{
    pthread_mutex_lock(&t->mu); /* DOUBLE-LOCK */
    t->target = v;
    pthread_mutex_unlock(&t->mu);
}

static void clamp(struct thermostat *t)
{
    if (t->target < t->low)
        set_target(t, t->low);
    else if (t->target > t->high)
        set_target(t, t->high);
}

static void set_range(struct thermostat *t, double low, double high)
{
    pthread_mutex_lock(&t->mu);
    t->low = low;
    t->high = high;
    clamp(t);
    pthread_mutex_unlock(&t->mu);
}

static void *dial(void *arg)
{
    for (int i = 0; i < 10; i++)
        set_target(arg, i);
    return NULL;
}

int main(void)
{
    struct thermostat t = { .mu = PTHREAD_MUTEX_INITIALIZER, .low = 0, .high = 5 };
    pthread_t d;

    pthread_create(&d, NULL, dial, &t);
    set_range(&t, 2, 4);
    pthread_join(d, NULL);
    return 0;
}
