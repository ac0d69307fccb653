/* child_memory_repaired.c: workers hand jobs to children; what a child does is done to its own copy. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct job { int number; long cost; };

static struct { struct job *now; long done; } desk;
static pthread_mutex_t desk_lock = PTHREAD_MUTEX_INITIALIZER;
static long log_lines;

static void note(const char *what)
{
	log_lines++; /* NORACE */
	puts(what);
}

static void child_main(struct job *job)
{
	desk.now = job; /* NORACE */
	desk.done += job->cost; /* NORACE */
	note("child");
	exit(desk.done > 10);
}

static pid_t start_child(struct job *job)
{
	pid_t pid = fork();
	switch (pid) {
	case 0:
		child_main(job);
	case -1:
		return -1;
	default:
		return pid;
	}
}

static void *work(void *arg)
{
	struct job job = { 1, 2 };
	for (int i = 0; i < 10; i++) {
		start_child(&job);
		pthread_mutex_lock(&desk_lock);
		desk.done++; /* NORACE */
		pthread_mutex_unlock(&desk_lock);
	}
	return arg;
}

int main(void)
{
	pthread_t workers[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&workers[i], NULL, work, NULL);
	for (int i = 0; i < 4; i++) {
		pthread_mutex_lock(&desk_lock);
		printf("%ld\n", desk.done); /* NORACE */
		pthread_mutex_unlock(&desk_lock);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(workers[i], NULL);
	return 0;
}
