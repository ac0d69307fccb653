#include <pthread.h>
#include <stdio.h>
#include "counter.h"

static void *add_some(void *arg)
{
	int i;

	for (i = 0; i < 1000; i++)
		counter_add(*(int *)arg);
	return NULL;
}

int main(void)
{
	pthread_t up, down;
	int plus = 1, minus = -1, i;

	counter_init();
	pthread_create(&up, NULL, add_some, &plus);
	pthread_create(&down, NULL, add_some, &minus);
	for (i = 0; i < 5; i++)
		printf("now %ld\n", counter_get());
	pthread_join(up, NULL);
	pthread_join(down, NULL);
	printf("at last %ld\n", counter_value);
	return 0;
}
