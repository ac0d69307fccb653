/* A detached thread is never joined: it may run until the end. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t beat_lock = PTHREAD_MUTEX_INITIALIZER;
static int beats, misses, started;

static void *heart(void *argument)
{
	pthread_mutex_lock(&beat_lock);
	beats++; /* NORACE */
	pthread_mutex_unlock(&beat_lock);
	misses += started; /* RACE@a */
	return argument;
}

int main(void)
{
	pthread_t thread;
	started = 1; /* NORACE */
	pthread_create(&thread, NULL, heart, NULL);
	pthread_detach(thread);
	sleep(1);
	pthread_mutex_lock(&beat_lock);
	beats--; /* NORACE */
	pthread_mutex_unlock(&beat_lock);
	return misses; /* RACE@a */
}
