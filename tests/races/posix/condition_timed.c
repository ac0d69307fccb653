/* A timed wait holds the mutex again when it comes back, whatever it returns. */
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t pipe_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t pipe_filled = PTHREAD_COND_INITIALIZER;
static int level, timeouts;

static void *drain(void *argument)
{
	struct timespec limit = { .tv_sec = time(NULL) + 1 };
	pthread_mutex_lock(&pipe_lock);
	while (level == 0) { /* NORACE */
		if (pthread_cond_timedwait(&pipe_filled, &pipe_lock, &limit) == ETIMEDOUT) {
			timeouts++; /* NORACE */
			break;
		}
	}
	level = 0; /* NORACE */
	pthread_mutex_unlock(&pipe_lock);
	return argument;
}

static void *fill(void *argument)
{
	pthread_mutex_lock(&pipe_lock);
	level++; /* NORACE */
	pthread_mutex_unlock(&pipe_lock);
	pthread_cond_signal(&pipe_filled);
	return argument;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, NULL, drain, NULL);
	pthread_create(&b, NULL, drain, NULL);
	pthread_create(&c, NULL, fill, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return timeouts; /* NORACE */
}
