// racerx-verdict: shown
/* A timer and system calls: the lock must keep bottom halves out, and be there at all. */
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

struct lease { spinlock_t lock; struct timer_list timer; int state; int renewals; };

static void lease_expire(struct timer_list *timer)
{
	struct lease *lease = from_timer(lease, timer, timer);
	lease->state = 0; /* RACE */
	spin_lock(&lease->lock);
	lease->renewals = 0; /* NORACE */
	spin_unlock(&lease->lock);
}

void lease_renew(struct lease *lease)
{
	spin_lock_bh(&lease->lock);
	lease->state = 2;
	lease->renewals++; /* NORACE */
	spin_unlock_bh(&lease->lock);
	mod_timer(&lease->timer, jiffies + HZ);
}

void lease_break(struct lease *l) { spin_lock_bh(&l->lock); l->state = 3; spin_unlock_bh(&l->lock); }
void lease_grant(struct lease *l) { spin_lock_bh(&l->lock); l->state = 1; spin_unlock_bh(&l->lock); }
void lease_next(struct lease *l) { spin_lock_bh(&l->lock); l->state++; spin_unlock_bh(&l->lock); }
int lease_state(struct lease *l) { int s; spin_lock_bh(&l->lock); s = l->state; spin_unlock_bh(&l->lock); return s; }
int lease_valid(struct lease *l) { int s; spin_lock_bh(&l->lock); s = l->state > 0; spin_unlock_bh(&l->lock); return s; }
int lease_broken(struct lease *l) { int s; spin_lock_bh(&l->lock); s = l->state == 3; spin_unlock_bh(&l->lock); return s; }
int lease_gone(struct lease *l) { int s; spin_lock_bh(&l->lock); s = !l->state; spin_unlock_bh(&l->lock); return s; }

void lease_setup(struct lease *lease)
{
	spin_lock_init(&lease->lock);
	timer_setup(&lease->timer, lease_expire, 0);
}
