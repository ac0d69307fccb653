#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int *numbers;
static int n_numbers = 10000;
static int maximum;

static void *find_max(void *unused)
{
	int i, best = numbers[0];

	for (i = 1; i < n_numbers; i++)
		if (numbers[i] > best)
			best = numbers[i];
	maximum = best;
	return unused;
}

int main(void)
{
	pthread_t t;
	int i;

	numbers = malloc(sizeof(int) * n_numbers);
	srand(7);
	for (i = 0; i < n_numbers; i++)
		numbers[i] = rand();

	if (pthread_create(&t, NULL, find_max, NULL))
		return 1;
	printf("max %d\n", maximum); // RACE!
	pthread_join(t, NULL);
	free(numbers);
	return 0;
}
