#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static int lines_done;

static void process_lines(int n)
{
	int i;
	for (i = 0; i < n; i++)
		lines_done++; // NORACE
}

static void run_child(int n)
{
	pid_t pid = fork();
	if (pid == 0) {
		process_lines(n);
		_exit(lines_done == n ? 0 : 1);
	}
	if (pid < 0)
		exit(2);
}

int main(void)
{
	int n = 1000;
	int status;

	run_child(n);
	process_lines(n);
	wait(&status);
	printf("child %d\n", status);
	printf("%d lines\n", lines_done);
	return 0;
}
