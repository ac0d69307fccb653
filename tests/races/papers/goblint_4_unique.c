/*
 * Goblint, example 4: a thread of which there is only one does not race with itself; and where each thread is given
 * another index, each has its own element.
 */
#include <pthread.h>
#include <stdint.h>

static int data[1024], single, shared;

static void *t(void *argument)
{
	int i = (int)(intptr_t)argument;
	data[i]++; /* NORACE */
	shared++; /* RACE */
	return NULL;
}

static void *unique(void *argument)
{
	single++; /* NORACE */
	return argument;
}

int main(void)
{
	pthread_t thread;
	intptr_t i = 0;
	pthread_create(&thread, NULL, unique, NULL);
	while (i < 1024) {
		pthread_create(&thread, NULL, t, (void *)i);
		i++;
	}
	return 0;
}
