/* Waiting after the lock was let go; or not waiting at all. */
#include <linux/spinlock.h>
#include <linux/timer.h>

struct lease { spinlock_t lock; struct timer_list timer; int expired; };

static void lease_expire(struct timer_list *timer)
{
	struct lease *lease = container_of(timer, struct lease, timer);
	spin_lock(&lease->lock);
	lease->expired = 1;
	spin_unlock(&lease->lock);
}

void lease_start(struct lease *lease) { timer_setup(&lease->timer, lease_expire, 0); }

void lease_end(struct lease *lease)
{
	int expired;
	spin_lock_bh(&lease->lock);
	expired = lease->expired;
	spin_unlock_bh(&lease->lock);
	if (!expired)
		del_timer_sync(&lease->timer); /* NODEADLOCK */
}

void lease_renew(struct lease *lease)
{
	spin_lock_bh(&lease->lock);
	lease->expired = 0;
	del_timer(&lease->timer); /* NODEADLOCK */
	spin_unlock_bh(&lease->lock);
}
