/* A mutex that its holder takes again, for somebody else to let it go first: a signal, not a lock. Nobody lets go of the others. */
#include <pthread.h>

struct sensor { pthread_mutex_t trap, lock, other; int value; };
struct start { pthread_mutex_t done; int result; };
void handle(void (*)(void *), void *);

static void answered(void *argument)
{
	struct sensor *sensor = argument;

	pthread_mutex_unlock(&sensor->trap); /* NOUNHELD */
}

int ask(struct sensor *sensor)
{
	pthread_mutex_lock(&sensor->trap);
	handle(answered, sensor);
	pthread_mutex_lock(&sensor->trap); /* NODOUBLE-LOCK */
	return sensor->value;
}

static void *begin(void *argument)
{
	struct start *start = argument;

	start->result = 1;
	pthread_mutex_unlock(&start->done);
	return 0;
}

int run(void)
{
	struct start start = { .result = 0 };
	pthread_t thread;

	pthread_mutex_init(&start.done, 0);
	pthread_mutex_lock(&start.done);
	pthread_create(&thread, 0, begin, &start);
	pthread_mutex_lock(&start.done); /* NODOUBLE-LOCK */
	return start.result;
}

int twice(struct sensor *sensor)
{
	int value;

	pthread_mutex_lock(&sensor->lock);
	pthread_mutex_lock(&sensor->lock); /* DOUBLE-LOCK */
	value = sensor->value;
	pthread_mutex_unlock(&sensor->lock);
	return value;
}

int alone(void)
{
	pthread_mutex_t lock;

	pthread_mutex_init(&lock, 0);
	pthread_mutex_lock(&lock);
	handle(0, &lock);
	pthread_mutex_lock(&lock); /* DOUBLE-LOCK */
	handle(0, &lock);
	pthread_mutex_unlock(&lock);
	return 0;
}
