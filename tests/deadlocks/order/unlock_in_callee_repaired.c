/* The callee lets the lock go before the second one is taken. */
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(request_lock);
static DEFINE_SPINLOCK(stats_lock);
static int requests, finished;

static void finish(void)
{
	requests--;
	spin_unlock(&request_lock); /* NOUNHELD */
}

void request_end(int amount)
{
	spin_lock(&request_lock);
	if (amount > requests) {
		finish();
		return;
	}
	requests -= amount;
	finish();
	spin_lock(&stats_lock); /* NODEADLOCK */
	finished += amount;
	spin_unlock(&stats_lock);
}

void stats_reset(void)
{
	spin_lock(&stats_lock);
	spin_lock(&request_lock); /* NODEADLOCK */
	finished = requests;
	spin_unlock(&request_lock);
	spin_unlock(&stats_lock);
}
