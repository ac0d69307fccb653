/* All threads begin in one function, which calls what it was told. Each is started once, but two of them count the same. */
#include <pthread.h>
#include <stdlib.h>

struct job { void *(*run)(void *); void *argument; };
static int ticks, swept, reports;

static void *begin(void *given)
{
	struct job *job = given;
	void *(*run)(void *) = job->run;
	void *argument = job->argument;
	free(job);
	return run(argument);
}

static pthread_t launch(void *(*run)(void *), void *argument)
{
	pthread_t thread;
	struct job *job = malloc(sizeof *job);
	job->run = run;
	job->argument = argument;
	pthread_create(&thread, NULL, begin, job);
	return thread;
}

static void *clock_main(void *argument)
{
	for (int i = 0; i < 100; i++)
		ticks++; /* NORACE */
	reports++; /* RACE@a */
	return argument;
}

static void *sweep_main(void *argument)
{
	for (int i = 0; i < 100; i++)
		swept++; /* NORACE */
	reports++; /* RACE@a */
	return argument;
}

int main(void)
{
	pthread_t first = launch(clock_main, NULL);
	pthread_t second = launch(sweep_main, NULL);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	return 0;
}
