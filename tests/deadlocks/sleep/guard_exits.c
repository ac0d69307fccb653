/* Guards end by every way out of their scope, and only there: break, continue, goto, return, the end of the body. */
#include <linux/cleanup.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(queue_lock);
static DEFINE_MUTEX(config_lock);
static int queued, configured;

int queue_drain(int most)
{
	while (queued) {
		guard(spinlock)(&queue_lock); /* NODOUBLE-LOCK */
		if (queued == most)
			continue;
		if (queued < 0)
			break;
		if (!most)
			goto out;
		queued--;
	}
	msleep(10); /* NOSLEEP */
	spin_lock(&queue_lock); /* NODOUBLE-LOCK */
	queued = 0;
	spin_unlock(&queue_lock);
out:
	msleep(10); /* NOSLEEP */
	return queued; /* NOLEAK */
}

int queue_put(int item)
{
	scoped_guard(spinlock, &queue_lock) {
		if (item < 0)
			break;
		queued++;
		msleep(10); /* SLEEP */
	}
	msleep(10); /* NOSLEEP */
	return queued; /* NOLEAK */
}

int configure(int value)
{
	guard(mutex)(&config_lock);
	if (value < 0)
		return -1; /* NOLEAK */
	scoped_guard(mutex, &config_lock) /* DOUBLE-LOCK */
		configured = value;
	return 0; /* NOLEAK */
}

int configure_irq(int value)
{
	scoped_guard(spinlock_irqsave, &queue_lock) {
		guard(mutex)(&config_lock); /* SLEEP */
		configured = value;
	}
	guard(mutex)(&config_lock); /* NOSLEEP */
	return configured;
}
