/* Every thread is handed the address of the loop's counter, which main goes on counting. */
#include <pthread.h>
#include <stdio.h>

static void *greet(void *argument)
{
	int *number = argument;
	printf("hello from %d\n", *number); /* RACE */
	return NULL;
}

int main(void)
{
	pthread_t threads[8];
	int i;
	for (i = 0; i < 8; i++) /* RACE */
		pthread_create(&threads[i], NULL, greet, &i);
	for (int j = 0; j < 8; j++)
		pthread_join(threads[j], NULL);
	return 0;
}
