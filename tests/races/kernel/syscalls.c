// racerx-verdict: shown
/* System calls run in as many threads as there are callers. */
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/syscalls.h>

static DEFINE_MUTEX(quota_mutex);
static long quota_used, quota_limit;

SYSCALL_DEFINE1(quota_take, long, amount)
{
	long left;
	mutex_lock(&quota_mutex);
	quota_used += amount;
	left = quota_limit - quota_used; /* NORACE */
	mutex_unlock(&quota_mutex);
	return left;
}

SYSCALL_DEFINE1(quota_set, long, limit)
{
	mutex_lock(&quota_mutex);
	quota_limit = limit; /* NORACE */
	mutex_unlock(&quota_mutex);
	return 0;
}

SYSCALL_DEFINE1(quota_reset, int, user)
{
	mutex_lock(&quota_mutex);
	quota_limit = 0; /* NORACE */
	mutex_unlock(&quota_mutex);
	quota_used = 0; /* RACE */
	return 0;
}

SYSCALL_DEFINE1(quota_give, long, amount)
{
	mutex_lock(&quota_mutex);
	quota_used -= amount;
	mutex_unlock(&quota_mutex);
	return 0;
}

long quota_get(void) { long n; mutex_lock(&quota_mutex); n = quota_used; mutex_unlock(&quota_mutex); return n; }
int quota_any(void) { int is; mutex_lock(&quota_mutex); is = quota_used > 0; mutex_unlock(&quota_mutex); return is; }
void quota_move(long n) { mutex_lock(&quota_mutex); quota_used += n; mutex_unlock(&quota_mutex); }
