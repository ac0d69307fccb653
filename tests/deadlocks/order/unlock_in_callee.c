/* The callee lets the lock go, but only after the second one was taken. */
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(request_lock);
static DEFINE_SPINLOCK(stats_lock);
static int requests, finished;

static void finish(int amount)
{
	spin_lock(&stats_lock); /* DEADLOCK@a */
	finished += amount;
	spin_unlock(&request_lock); /* NOUNHELD */
	spin_unlock(&stats_lock);
}

void request_end(int amount)
{
	spin_lock(&request_lock);
	requests -= amount;
	finish(amount);
} /* NOLEAK */

void stats_reset(void)
{
	spin_lock(&stats_lock);
	spin_lock(&request_lock); /* DEADLOCK@a */
	finished = requests;
	spin_unlock(&request_lock);
	spin_unlock(&stats_lock);
}
