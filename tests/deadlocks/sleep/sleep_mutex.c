/* A lock that sleeps inside one that spins, and sleeping with interrupts, preemption or RCU's grace held off. */
#include <linux/delay.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>

struct sensor { spinlock_t lock; struct mutex bus; int value; };
static int samples;

int sensor_read(struct sensor *sensor)
{
	int value;
	spin_lock(&sensor->lock);
	mutex_lock(&sensor->bus); /* SLEEP */
	value = sensor->value;
	mutex_unlock(&sensor->bus);
	spin_unlock(&sensor->lock);
	return value;
}

void sensor_settle(struct sensor *sensor)
{
	unsigned long flags;
	local_irq_save(flags);
	sensor->value = 0;
	msleep(20); /* SLEEP */
	local_irq_restore(flags);
}

void sensor_count(void)
{
	preempt_disable();
	samples++;
	schedule_timeout(1); /* SLEEP */
	preempt_enable();
}

void sensor_publish(struct sensor *sensor, void *buffer)
{
	rcu_read_lock();
	if (copy_to_user(buffer, &sensor->value, 4)) /* SLEEP */
		samples--;
	rcu_read_unlock();
}
