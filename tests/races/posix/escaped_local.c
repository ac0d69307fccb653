/* A local of main that a thread was given is shared until the thread has ended. */
#include <pthread.h>

struct progress { pthread_mutex_t lock; int percent; int lines; };

static void *convert(void *argument)
{
	struct progress *progress = argument;
	for (int i = 0; i <= 100; i++) {
		progress->percent = i; /* RACE@a */
		pthread_mutex_lock(&progress->lock);
		progress->lines += 20; /* NORACE */
		pthread_mutex_unlock(&progress->lock);
	}
	return NULL;
}

int main(void)
{
	struct progress progress = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
	pthread_t thread;
	int shown = 0, lines;
	progress.percent = 1; /* NORACE */
	pthread_create(&thread, NULL, convert, &progress);
	while (shown < 50)
		shown = progress.percent; /* RACE@a */
	pthread_mutex_lock(&progress.lock);
	lines = progress.lines; /* NORACE */
	pthread_mutex_unlock(&progress.lock);
	pthread_join(thread, NULL);
	return progress.percent + lines + shown; /* NORACE */
}
