/* The thread's function is chosen from a table. */
#include <pthread.h>

static pthread_mutex_t mixer_lock = PTHREAD_MUTEX_INITIALIZER;
static int volume, channel;

static void *play(void *argument)
{
	pthread_mutex_lock(&mixer_lock);
	volume++; /* NORACE */
	pthread_mutex_unlock(&mixer_lock);
	channel = 1; /* RACE@a */
	return argument;
}

static void *record(void *argument)
{
	pthread_mutex_lock(&mixer_lock);
	volume--; /* NORACE */
	pthread_mutex_unlock(&mixer_lock);
	channel = 2; /* RACE@a */
	return argument;
}

static void *(*const roles[])(void *) = { play, record };

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, roles[i], NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return volume; /* NORACE */
}
