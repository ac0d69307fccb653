/* escaped_local.c where main asks under the lock. */
#include <pthread.h>

struct progress { pthread_mutex_t lock; int percent; };

static void *convert(void *argument)
{
	struct progress *progress = argument;
	for (int i = 0; i <= 100; i++) {
		pthread_mutex_lock(&progress->lock);
		progress->percent = i; /* NORACE */
		pthread_mutex_unlock(&progress->lock);
	}
	return NULL;
}

int main(void)
{
	struct progress progress = { PTHREAD_MUTEX_INITIALIZER, 0 };
	pthread_t thread;
	int shown = 0;
	pthread_create(&thread, NULL, convert, &progress);
	while (shown < 50) {
		pthread_mutex_lock(&progress.lock);
		shown = progress.percent; /* NORACE */
		pthread_mutex_unlock(&progress.lock);
	}
	pthread_join(thread, NULL);
	return progress.percent; /* NORACE */
}
