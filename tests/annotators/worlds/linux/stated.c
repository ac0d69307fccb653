/* What the header of a function says of locks is a fact: it is called with the lock, or lets it go. */
#include <linux/spinlock.h>
#include <linux/mutex.h>

struct meter {
    spinlock_t lock;
    struct mutex calibration;
    int reading, sum;
};

int meter_add(struct meter *meter, int by) __must_hold(&meter->lock);

int meter_add(struct meter *meter, int by) __must_hold(&meter->lock)
{
    meter->reading += by;
    mutex_lock(&meter->calibration); /* SLEEP */
    mutex_unlock(&meter->calibration);
    return 0;
}
void meter_end(struct meter *meter) __releases(&meter->lock)
{
    meter->sum = 0;
    spin_unlock(&meter->lock); /* NOUNHELD */
}
int meter_again(struct meter *meter)
    __releases(&meter->lock) __acquires(&meter->lock)
{
    spin_unlock(&meter->lock); /* NOUNHELD */
    spin_lock(&meter->lock); /* NODOUBLE-LOCK */
    return meter->sum;
}
int meter_begin(struct meter *meter, int now) __acquires(&meter->lock)
{
    spin_lock(&meter->lock);
    if (now)
        return 1; /* NOLEAK */
    spin_unlock(&meter->lock);
    return 0;
}
int meter_leaves(struct meter *meter, int now)
{
    spin_lock(&meter->lock);
    if (now)
        return 1; /* LEAK */
    spin_unlock(&meter->lock);
    return 0;
}
void *meter_first(void) __acquires(RCU)
{
    rcu_read_lock();
    return 0;
}
void meter_last(void) __releases(RCU)
{
    rcu_read_unlock();
}
