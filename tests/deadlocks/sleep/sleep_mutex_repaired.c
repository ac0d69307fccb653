/* Sleeping after the last of them was let go, or under a lock that itself sleeps. */
#include <linux/delay.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/srcu.h>

struct sensor { spinlock_t lock; struct mutex bus; struct srcu_struct srcu; int value; };

int sensor_read(struct sensor *sensor)
{
	int value;
	mutex_lock(&sensor->bus); /* NOSLEEP */
	spin_lock(&sensor->lock);
	value = sensor->value;
	spin_unlock(&sensor->lock);
	msleep(1); /* NOSLEEP */
	mutex_unlock(&sensor->bus);
	return value;
}

void sensor_settle(struct sensor *sensor)
{
	unsigned long flags;
	int index;
	local_irq_save(flags);
	sensor->value = 0;
	local_irq_restore(flags);
	msleep(20); /* NOSLEEP */
	preempt_disable();
	sensor->value++;
	preempt_enable();
	index = srcu_read_lock(&sensor->srcu);
	msleep(20); /* NOSLEEP */
	srcu_read_unlock(&sensor->srcu, index);
	if (spin_trylock(&sensor->lock)) {
		sensor->value--;
		spin_unlock(&sensor->lock);
	} else {
		msleep(1); /* NOSLEEP */
	}
}
