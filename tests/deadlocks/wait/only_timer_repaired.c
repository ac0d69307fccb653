/* only_timer.c, waiting when the lock was let go. */
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

	spin_lock(&p->lock);
	p->strokes++;
	spin_unlock(&p->lock);
}

void pump_stop(void)
{
	spin_lock_bh(&pump.lock);
	pump.strokes = 0;
	spin_unlock_bh(&pump.lock);
	del_timer_sync(&pump.timer);
}

int pump_start(void)
{
	timer_setup(&pump.timer, pump_tick, 0);
	mod_timer(&pump.timer, 100);
	return 0;
}
