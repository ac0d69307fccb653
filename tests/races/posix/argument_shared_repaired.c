/* argument_shared.c with a number of its own for each thread, written before the thread exists. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static void *greet(void *argument)
{
	int *number = argument;
	printf("hello from %d\n", *number); /* NORACE */
	return NULL;
}

static void *wave(void *argument)
{
	printf("wave %d\n", (int)(intptr_t)argument); /* NORACE */
	return NULL;
}

int main(void)
{
	pthread_t greeters[8], wavers[8];
	int numbers[8];
	for (int i = 0; i < 8; i++) {
		numbers[i] = i; /* NORACE */
		pthread_create(&greeters[i], NULL, greet, &numbers[i]);
		pthread_create(&wavers[i], NULL, wave, (void *)(intptr_t)i);
	}
	for (int i = 0; i < 8; i++) {
		pthread_join(greeters[i], NULL);
		pthread_join(wavers[i], NULL);
	}
	return 0;
}
