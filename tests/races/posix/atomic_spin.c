/* A spin lock made of an atomic exchange protects what is inside, if one knows it for a lock. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int gate;
static int inside, outside;

static void enter(void)
{
	while (atomic_exchange(&gate, 1)) /* NORACE */
		;
}

static void leave(void)
{
	atomic_store(&gate, 0); /* NORACE */
}

static void *worker(void *argument)
{
	enter();
	inside++; /* NORACE */
	leave();
	outside++; /* RACE */
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, worker, NULL);
	pthread_create(&threads[1], NULL, worker, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
