/* Interrupts are turned off twice, and once on again in a helper of their own: they are still off. */
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct wheel { spinlock_t lock; int at; };
struct alarm { spinlock_t lock; struct wheel *wheel; int armed; };
struct owner { spinlock_t signals; int pending; };

static irqreturn_t tick(int irq, void *data)
{
	struct owner *owner = data;

	spin_lock(&owner->signals);
	owner->pending++;
	spin_unlock(&owner->signals);
	return IRQ_HANDLED;
}

static struct wheel *wheel_lock(struct alarm *alarm, unsigned long *flags)
{
	struct wheel *wheel = alarm->wheel;

	spin_lock_irqsave(&wheel->lock, *flags);
	return wheel;
}

static void wheel_unlock(struct wheel *wheel, unsigned long *flags)
{
	spin_unlock_irqrestore(&wheel->lock, *flags);
}

static void stop(struct alarm *alarm)
{
	unsigned long flags;
	struct wheel *wheel = wheel_lock(alarm, &flags);

	wheel->at = 0;
	wheel_unlock(wheel, &flags);
}

long sys_alarm_delete(struct alarm *alarm, struct owner *owner)
{
	unsigned long flags;

	spin_lock_irqsave(&alarm->lock, flags);
	stop(alarm);
	spin_lock(&owner->signals); /* NOIRQ-DEADLOCK */
	owner->pending = 0;
	spin_unlock(&owner->signals);
	spin_unlock_irqrestore(&alarm->lock, flags);
	return 0;
}

int start(int irq, struct owner *owner)
{
	return request_irq(irq, tick, 0, "alarm", owner);
}
