#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>

struct job { int in; int out; };

static struct job *jobs;
static int njobs, upcoming;
static pthread_mutex_t upcoming_mtx = PTHREAD_MUTEX_INITIALIZER;

static int square(int x) { return x * x; }

static void *runner(void *arg)
{
	for (;;) {
		int mine;

		pthread_mutex_lock(&upcoming_mtx);
		mine = upcoming;
		pthread_mutex_unlock(&upcoming_mtx);
		if (mine >= njobs)
			return arg;
		jobs[mine].out = square(jobs[mine].in); // RACE!
		pthread_mutex_lock(&upcoming_mtx);
		upcoming = mine + 1;
		pthread_mutex_unlock(&upcoming_mtx);
	}
}

int main(int argc, char **argv)
{
	pthread_t t[3];
	int i;

	njobs = argc > 1 ? atoi(argv[1]) : 100;
	jobs = calloc(njobs, sizeof *jobs);
	for (i = 0; i < njobs; i++)
		jobs[i].in = i;
	for (i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, runner, NULL);
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	for (i = 0; i < njobs; i++)
		printf("%d\n", jobs[i].out);
	free(jobs);
	return 0;
}
