#include <linux/timer.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct watchdog {
	spinlock_t lock;
	struct timer_list timer;
	int armed, barks;
};

static void watchdog_bark(struct timer_list *t)
{
	struct watchdog *w = from_timer(w, t, timer);

	spin_lock(&w->lock);
	if (w->armed)
		w->barks++;
	spin_unlock(&w->lock);
}

void watchdog_arm(struct watchdog *w)
{
	spin_lock_bh(&w->lock);
	w->armed = 1;
	mod_timer(&w->timer, jiffies + HZ);
	spin_unlock_bh(&w->lock);
}
EXPORT_SYMBOL(watchdog_arm);

void watchdog_disarm(struct watchdog *w)
{
	spin_lock_bh(&w->lock);
	w->armed = 0;
	spin_unlock_bh(&w->lock);
	del_timer_sync(&w->timer);
}
EXPORT_SYMBOL(watchdog_disarm);

void watchdog_init(struct watchdog *w)
{
	spin_lock_init(&w->lock);
	w->armed = w->barks = 0;
	timer_setup(&w->timer, watchdog_bark, 0);
}
EXPORT_SYMBOL(watchdog_init);
