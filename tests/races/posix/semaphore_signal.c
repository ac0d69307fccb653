/* A semaphore that signals: what was written before the post may be read after the wait. */
#include <pthread.h>
#include <semaphore.h>

static sem_t cooked;
static int dish, salt;

static void *cook(void *argument)
{
	dish = 3; /* NORACE */
	sem_post(&cooked);
	salt++; /* RACE@a */
	return argument;
}

static void *waiter(void *argument)
{
	int served;
	sem_wait(&cooked);
	served = dish; /* NORACE */
	served += salt; /* RACE@a */
	return served ? argument : NULL;
}

int main(void)
{
	pthread_t a, b;
	sem_init(&cooked, 0, 0);
	pthread_create(&a, NULL, cook, NULL);
	pthread_create(&b, NULL, waiter, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
