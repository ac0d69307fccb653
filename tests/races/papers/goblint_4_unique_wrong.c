/* Goblint, example 4, wrong: there are two of the "unique" thread, and all threads are given the same index. */
#include <pthread.h>
#include <stdint.h>

static int data[1024], single, shared;

static void *t(void *argument)
{
	int i = (int)(intptr_t)argument;
	data[i]++; /* RACE */
	shared++; /* RACE */
	return NULL;
}

static void *unique(void *argument)
{
	single++; /* RACE */
	return argument;
}

int main(void)
{
	pthread_t thread;
	intptr_t i = 0;
	pthread_create(&thread, NULL, unique, NULL);
	pthread_create(&thread, NULL, unique, NULL);
	while (i < 1024) {
		pthread_create(&thread, NULL, t, (void *)3);
		i++;
	}
	return 0;
}
