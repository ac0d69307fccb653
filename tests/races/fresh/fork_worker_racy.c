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
		lines_done++; // RACE!
}

static void *helper(void *arg)
{
	process_lines(*(int *)arg);
	return NULL;
}

int main(void)
{
	int n = 1000;
	pthread_t t;

	pthread_create(&t, NULL, helper, &n);
	process_lines(n);
	pthread_join(t, NULL);
	printf("%d lines\n", lines_done);
	return 0;
}
