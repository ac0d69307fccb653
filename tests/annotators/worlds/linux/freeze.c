/* A wait that lets the lock go around a statement: that one may sleep and take the lock, one before the wait may not. */
#include <linux/spinlock.h>
#include <linux/wait.h>

struct array {
	spinlock_t lock;
	wait_queue_head_t waiters;
	int pending;
};

static void array_flush(struct array *array)
{
	msleep(1); /* NOSLEEP */
	spin_lock_irq(&array->lock); /* NODOUBLE-LOCK */
	array->pending = 0;
	spin_unlock_irq(&array->lock);
}

static void array_drain(struct array *array)
{
	msleep(2); /* SLEEP */
}

void array_freeze(struct array *array)
{
	spin_lock_irq(&array->lock);
	wait_event_lock_irq_cmd(array->waiters, !array->pending, array->lock, array_flush(array));
	spin_unlock_irq(&array->lock); /* NOUNHELD */
}

void array_stop(struct array *array)
{
	spin_lock_irq(&array->lock); /* SLEEP */
	array_drain(array);
	wait_event_lock_irq_cmd(array->waiters, !array->pending, array->lock, array_flush(array));
	spin_unlock_irq(&array->lock);
}
