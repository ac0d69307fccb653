/* del_timer_sync waits for the timer's function, which waits for the lock held here. */
#include <linux/spinlock.h>
#include <linux/timer.h>

struct lease { spinlock_t lock; struct timer_list timer; int expired; };

static void lease_expire(struct timer_list *timer)
{
	struct lease *lease = container_of(timer, struct lease, timer);
	spin_lock(&lease->lock); /* DEADLOCK@a */
	lease->expired = 1;
	spin_unlock(&lease->lock);
}

void lease_start(struct lease *lease) { timer_setup(&lease->timer, lease_expire, 0); }

void lease_end(struct lease *lease)
{
	spin_lock_bh(&lease->lock);
	if (!lease->expired)
		del_timer_sync(&lease->timer); /* DEADLOCK@a */
	spin_unlock_bh(&lease->lock);
}
