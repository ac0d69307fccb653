/* main waits until the mode is 2, and it stays so: what it would do in mode 1 never happens. */
#include <pthread.h>
#include <stdio.h>

static int mode, output;

static void *worker(void *argument)
{
	output++; /* NORACE */
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
	if (mode != 2)
		output = 0; /* NORACE */
	restart();
	pthread_join(thread, NULL);
	return output; /* NORACE */
}
