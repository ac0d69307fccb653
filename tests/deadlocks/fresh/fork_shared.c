#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* prefork server: children report through a shared scoreboard */
struct board {
	pthread_mutex_t mu;
	int served[4];
	int generation;
};

static struct board *sb;

static void board_init(void)
{
	pthread_mutexattr_t a;

	sb = mmap(NULL, sizeof *sb, PROT_READ | PROT_WRITE,
		  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sb == MAP_FAILED)
		exit(1);
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&sb->mu, &a);
	pthread_mutexattr_destroy(&a);
}

static void child_main(int slot)
{
	alarm(2);
	for (int i = 0; i < 5; i++) {
		usleep(300);
		pthread_mutex_lock(&sb->mu);
		sb->served[slot]++;
		pthread_mutex_unlock(&sb->mu);
	}
	_exit(0);
}

static pid_t spawn(int slot)
{
	pid_t p = fork();

	if (p == 0)
		child_main(slot);
	return p;
}

static void recycle(pid_t *kids, int n)
{
	int st;

	pthread_mutex_lock(&sb->mu);
	sb->generation++;
	for (int i = 0; i < n; i++) {
		if (kids[i] > 0)
			waitpid(kids[i], &st, 0); // TODO DEADLOCK: a lock between processes
		kids[i] = 0;
	}
	pthread_mutex_unlock(&sb->mu);
}

int main(void)
{
	pid_t kids[4];
	int total = 0;

	alarm(3);
	board_init();
	for (int i = 0; i < 4; i++)
		kids[i] = spawn(i);
	recycle(kids, 4);
	for (int i = 0; i < 4; i++)
		total += sb->served[i];
	printf("served %d in generation %d\n", total, sb->generation);
	return 0;
}
