/* The last thing a closer does is to take the gate for good; then it closes the book. The reader does it the other way round. */
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t book = PTHREAD_MUTEX_INITIALIZER;
static int closed, readers;

static void *closer(void *argument)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_lock(&book); /* DEADLOCK@a */
	closed = 1;
	pthread_mutex_unlock(&book);
	return argument;
}

static void *reader(void *argument)
{
	pthread_mutex_lock(&book);
	pthread_mutex_lock(&gate); /* DEADLOCK@a */
	readers += !closed;
	pthread_mutex_unlock(&gate);
	pthread_mutex_unlock(&book);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, closer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return readers;
}
