/* A timer runs in a soft interrupt, on top of whatever this CPU was doing. */
#include <linux/spinlock.h>
#include <linux/timer.h>

struct session { spinlock_t lock; struct timer_list timer; int age; };

static void session_expire(struct timer_list *timer)
{
	struct session *session = container_of(timer, struct session, timer);
	spin_lock(&session->lock); /* IRQ-DEADLOCK@a */
	session->age++;
	spin_unlock(&session->lock);
}

void session_touch(struct session *session)
{
	spin_lock(&session->lock); /* IRQ-DEADLOCK@a */
	session->age = 0;
	spin_unlock(&session->lock);
}

void session_start(struct session *session)
{
	spin_lock_init(&session->lock);
	timer_setup(&session->timer, session_expire, 0);
}
