/* The timer is told by its list node only; there is one pump, so its lock is the one that is held. */
#include <linux/timer.h>
#include <linux/spinlock.h>
struct pump {
	spinlock_t lock;
	struct timer_list timer;
	int strokes;
};
static struct pump pump;

static void pump_tick(struct timer_list *t)
{
	struct pump *p = from_timer(p, t, timer);

	spin_lock(&p->lock); /* DEADLOCK@a */
	p->strokes++;
	spin_unlock(&p->lock);
}

void pump_stop(void)
{
	spin_lock_bh(&pump.lock);
	pump.strokes = 0;
	del_timer_sync(&pump.timer); /* DEADLOCK@a */
	spin_unlock_bh(&pump.lock);
}

int pump_start(void)
{
	timer_setup(&pump.timer, pump_tick, 0);
	mod_timer(&pump.timer, 100);
	return 0;
}
