/*
 * Two conditions that are equal, but only the programmer knows. Raw locksets see a return with the lock held.
 */
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(log_lock);
static int log_depth, log_length;
int log_is_nested(void);

int log_add(int amount)
{
	if (log_depth == 0)
		spin_lock(&log_lock);
	log_length += amount;
	if (!log_is_nested())
		spin_unlock(&log_lock);
	return log_length; /* TODO NOLEAK: two conditions that mean the same in other words are not correlated */
}
