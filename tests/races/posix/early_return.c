/* Two returns, each behind its unlock: the caller is outside after both. */
#include <pthread.h>

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static int pool_left = 8, granted;

static int pool_take(void)
{
	pthread_mutex_lock(&pool_lock);
	if (pool_left == 0) { /* NORACE */
		pthread_mutex_unlock(&pool_lock);
		return -1;
	}
	pool_left--; /* NORACE */
	pthread_mutex_unlock(&pool_lock);
	return 0;
}

static void *user(void *argument)
{
	if (pool_take())
		return NULL;
	granted++; /* RACE */
	return argument;
}

int main(void)
{
	pthread_t threads[12];
	for (int i = 0; i < 12; i++)
		pthread_create(&threads[i], NULL, user, NULL);
	for (int i = 0; i < 12; i++)
		pthread_join(threads[i], NULL);
	return granted; /* NORACE */
}
