/* A cleanup handler that unlocks, and one lock kept across the push. */
#include <pthread.h>

static pthread_mutex_t vault_lock = PTHREAD_MUTEX_INITIALIZER;
static int gold, alarms;

static void unlock(void *argument)
{
	pthread_mutex_unlock(argument);
}

static void *thief(void *argument)
{
	pthread_mutex_lock(&vault_lock);
	pthread_cleanup_push(unlock, &vault_lock);
	gold--; /* NORACE */
	pthread_cleanup_pop(1);
	alarms++; /* RACE */
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, thief, NULL);
	pthread_create(&b, NULL, thief, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return gold; /* NORACE */
}
