/* The callee lets the caller's lock go; what follows the call is outside. */
#include <pthread.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int lines, flushes, bytes;

static void finish(void)
{
	lines++; /* NORACE */
	pthread_mutex_unlock(&log_lock);
}

static void *writer(void *argument)
{
	pthread_mutex_lock(&log_lock);
	bytes += 80; /* NORACE */
	finish();
	flushes++; /* RACE */
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, writer, NULL);
	pthread_create(&threads[1], NULL, writer, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
