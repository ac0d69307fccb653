/* A guard that is the whole of an `if`, of an `else` or of a loop ends with that statement; a scoped one with its body; one that
 * may fail is held in its body only. */
#include <linux/mutex.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(fan_lock);
static DEFINE_MUTEX(fan_mutex);
static int speed, wanted;

void fan_flush(int now) {
    if (now)
        guard(spinlock)(&fan_lock);
    msleep(1); /* NOSLEEP */
}
void fan_settle(int now) {
    if (now)
        speed = wanted;
    else
        guard(spinlock)(&fan_lock);
    msleep(1); /* NOSLEEP */
    spin_lock(&fan_lock); /* NODOUBLE-LOCK */
    wanted = 0;
    spin_unlock(&fan_lock);
}
void fan_round(int tries) {
    while (tries--)
        guard(spinlock)(&fan_lock);
    msleep(1); /* NOSLEEP */
}
void fan_up(int on) {
    scoped_guard(spinlock, &fan_lock)
        if (on)
            speed++;
        else
            speed--; /* NOSLEEP */
    msleep(1); /* NOSLEEP */
}
int fan_down(void) {
    scoped_cond_guard(mutex_intr, return -EINTR, &fan_mutex) {
        speed--;
    }
    mutex_lock(&fan_mutex); /* NODOUBLE-LOCK */
    speed = 0;
    mutex_unlock(&fan_mutex);
    return 0;
}
