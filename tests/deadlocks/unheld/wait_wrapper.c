/* A function that waits with a lock comes back with it. */
#include <pthread.h>

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bell = PTHREAD_COND_INITIALIZER;
static int guests;

static int wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex) { return pthread_cond_wait(cond, mutex); }
static int give_up(pthread_mutex_t *mutex) { guests = 0; return pthread_mutex_unlock(mutex); }

void *welcome(void *argument)
{
	pthread_mutex_lock(&door);
	while (!guests)
		wait_for(&bell, &door);
	pthread_mutex_unlock(&door); /* NOUNHELD */
	return argument;
}

void *send_home(void *argument)
{
	pthread_mutex_lock(&door);
	give_up(&door);
	pthread_mutex_unlock(&door); /* UNHELD */
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, welcome, NULL);
	pthread_create(&b, NULL, send_home, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
