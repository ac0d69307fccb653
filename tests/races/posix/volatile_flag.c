/* volatile is no synchronisation. */
#include <pthread.h>
#include <stdatomic.h>

static volatile int done;
static atomic_int finished;
static int result, answer;

static void *compute(void *argument)
{
	result = 42; /* RACE@b */
	done = 1; /* RACE@a */
	answer = 42; /* NORACE */
	atomic_store(&finished, 1); /* NORACE */
	return argument;
}

int main(void)
{
	pthread_t thread;
	int sum;
	pthread_create(&thread, NULL, compute, NULL);
	while (!done) /* RACE@a */
		;
	sum = result; /* RACE@b */
	while (!atomic_load(&finished)) /* NORACE */
		;
	sum += answer; /* NORACE */
	pthread_join(thread, NULL);
	return sum;
}
