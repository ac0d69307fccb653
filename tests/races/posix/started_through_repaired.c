/* All threads begin in one function. Each is started once, and what both count has a lock. */
#include <pthread.h>
#include <stdlib.h>

struct job { void *(*run)(void *); void *argument; };
static pthread_mutex_t reports_lock = PTHREAD_MUTEX_INITIALIZER;
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
	pthread_mutex_lock(&reports_lock);
	reports++; /* NORACE */
	pthread_mutex_unlock(&reports_lock);
	return argument;
}

static void *sweep_main(void *argument)
{
	for (int i = 0; i < 100; i++)
		swept++; /* NORACE */
	pthread_mutex_lock(&reports_lock);
	reports++; /* NORACE */
	pthread_mutex_unlock(&reports_lock);
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
