/* join_locked.c with the mutex let go before the join. */
#include <pthread.h>

static pthread_mutex_t state = PTHREAD_MUTEX_INITIALIZER;
static int stopping, done;

static void *worker(void *argument)
{
	for (;;) {
		pthread_mutex_lock(&state);
		done++;
		if (stopping) {
			pthread_mutex_unlock(&state);
			break;
		}
		pthread_mutex_unlock(&state);
	}
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, worker, NULL);
	pthread_mutex_lock(&state);
	stopping = 1;
	pthread_mutex_unlock(&state);
	pthread_join(thread, NULL); /* NODEADLOCK */
	return done;
}
