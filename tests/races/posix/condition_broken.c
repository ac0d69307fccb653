/* The waiter looks at the flag before it has the mutex, and again after it gave it back. */
#include <pthread.h>

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int tickets;

static void *seller(void *argument)
{
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&door);
		tickets++;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&door);
	}
	return argument;
}

static void *buyer(void *argument)
{
	while (tickets == 0) { /* RACE */
		pthread_mutex_lock(&door);
		pthread_cond_wait(&changed, &door);
		pthread_mutex_unlock(&door);
	}
	tickets--; /* RACE */
	return argument;
}

int main(void)
{
	pthread_t shop, people[2];
	pthread_create(&shop, NULL, seller, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&people[i], NULL, buyer, NULL);
	pthread_join(shop, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(people[i], NULL);
	return tickets; /* NORACE */
}
