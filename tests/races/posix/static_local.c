/* A static local is one object for all threads. */
#include <pthread.h>

static pthread_mutex_t number_lock = PTHREAD_MUTEX_INITIALIZER;

static int next_number(void)
{
	static int last;
	return ++last; /* RACE */
}

static int next_ticket(void)
{
	static int ticket;
	int result;
	pthread_mutex_lock(&number_lock);
	result = ++ticket; /* NORACE */
	pthread_mutex_unlock(&number_lock);
	return result;
}

static int next_step(void)
{
	int step = 0;
	return ++step; /* NORACE */
}

static void *worker(void *argument)
{
	return next_number() + next_ticket() + next_step() ? argument : NULL;
}

int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
