// racerx-verdict: shown
/* A global that is the only object of its critical sections, and is once touched without the lock. */
#include <linux/mutex.h>
#include <linux/slab.h>

static DEFINE_MUTEX(users_mutex);
static int user_count;
static int user_limit;

int user_add(void) { mutex_lock(&users_mutex); user_count++; mutex_unlock(&users_mutex); return 0; }
int user_remove(void) { mutex_lock(&users_mutex); user_count--; mutex_unlock(&users_mutex); return 0; }
int user_none(void) { int is; mutex_lock(&users_mutex); is = !user_count; mutex_unlock(&users_mutex); return is; }
void user_reset(void) { mutex_lock(&users_mutex); user_count = 0; mutex_unlock(&users_mutex); }
int user_total(void) { int n; mutex_lock(&users_mutex); n = user_count; mutex_unlock(&users_mutex); return n; }
void user_import(int n) { mutex_lock(&users_mutex); user_count += n; mutex_unlock(&users_mutex); }
int user_even(void) { int is; mutex_lock(&users_mutex); is = user_count % 2; mutex_unlock(&users_mutex); return is; }
void user_limit_set(int n) { mutex_lock(&users_mutex); user_limit = n; /* NORACE */ mutex_unlock(&users_mutex); }

int user_kick(void)
{
	user_count--; /* RACE */
	mutex_lock(&users_mutex);
	user_limit--; /* NORACE */
	mutex_unlock(&users_mutex);
	return 0;
}
