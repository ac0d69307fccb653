/* child_daemon.c: the program goes on as a child of itself, and starts its threads there. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static long served, started;

static void detach(void)
{
	pid_t pid = fork();
	if (pid < 0)
		exit(1);
	if (pid > 0)
		_exit(0);
	setsid();
	started++; /* NORACE */
}

static void *serve(void *arg)
{
	for (int i = 0; i < 10; i++)
		served++; /* RACE */
	started += 2; /* NORACE */
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	if (argc > 1)
		detach();
	started++; /* NORACE */
	pthread_create(&thread, NULL, serve, NULL);
	served++; /* RACE */
	pthread_join(thread, NULL);
	return started > 2; /* NORACE */
}
