/* Work is queued by a timer that its maker asked to run with interrupts off, and by an ioctl that turns them off. The
   helper that takes the lock plainly says so; one beside it says nothing, and is come to with interrupts on. */
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

struct pool {
	spinlock_t lock;
	spinlock_t idle_lock;
	struct timer_list timer;
	int queued;
	int idle;
};
static struct pool pool;

static void pool_put(struct pool *to)
{
	lockdep_assert_irqs_disabled();
	spin_lock(&to->lock); /* NOIRQ-DEADLOCK */
	to->queued++;
	spin_unlock(&to->lock);
}

static void pool_idle(struct pool *to)
{
	spin_lock(&to->idle_lock); /* IRQ-DEADLOCK */
	to->idle++;
	spin_unlock(&to->idle_lock);
}

static void pool_timer(struct timer_list *timer)
{
	struct pool *to = from_timer(to, timer, timer);
	pool_put(to);
	pool_idle(to);
}

static long pool_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	local_irq_disable();
	pool_put(&pool);
	pool_idle(&pool);
	local_irq_enable();
	return 0;
}

static const struct file_operations pool_operations = {
	.unlocked_ioctl = pool_ioctl,
};

static irqreturn_t pool_interrupt(int irq, void *data)
{
	struct pool *to = data;
	spin_lock(&to->lock);
	to->queued--;
	spin_unlock(&to->lock);
	spin_lock(&to->idle_lock); /* IRQ-DEADLOCK */
	to->idle--;
	spin_unlock(&to->idle_lock);
	return IRQ_HANDLED;
}

int pool_start(int irq)
{
	timer_setup(&pool.timer, pool_timer, TIMER_IRQSAFE);
	return request_irq(irq, pool_interrupt, 0, "pool", &pool);
}
