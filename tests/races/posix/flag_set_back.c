/* main waits until the mode is 2, then sets it back: what it does in mode 1 happens beside the worker. */
#include <pthread.h>
#include <stdio.h>

static int mode, output;

static void *worker(void *argument)
{
	output++; /* RACE@a */
	return argument;
}

static void restart(void)
{
	mode = 1;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, worker, NULL);
	while (mode != 2)
		mode = getchar();
	restart();
	if (mode != 2)
		output = 0; /* RACE@a */
	pthread_join(thread, NULL);
	return output; /* NORACE */
}
