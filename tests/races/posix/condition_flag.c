/* A condition variable, used right: the flag is only touched under the mutex. */
#include <pthread.h>

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int is_open;
static int visitors;

static void *porter(void *argument)
{
	pthread_mutex_lock(&door);
	is_open = 1; /* NORACE */
	pthread_cond_broadcast(&opened);
	pthread_mutex_unlock(&door);
	return argument;
}

static void *visitor(void *argument)
{
	pthread_mutex_lock(&door);
	while (!is_open) /* NORACE */
		pthread_cond_wait(&opened, &door);
	visitors++; /* NORACE */
	pthread_mutex_unlock(&door);
	return argument;
}

int main(void)
{
	pthread_t keeper, guests[3];
	pthread_create(&keeper, NULL, porter, NULL);
	for (int i = 0; i < 3; i++)
		pthread_create(&guests[i], NULL, visitor, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(guests[i], NULL);
	pthread_join(keeper, NULL);
	return visitors; /* NORACE */
}
