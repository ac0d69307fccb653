#include <pthread.h>
#include <stdio.h>

#define N 64
#define T 4

static long grid[N][N];

static void *turn(void *arg)
{
	int me = (int)(long)arg, from = me * (N / T), to = (me + 1) * (N / T);

	for (int i = from; i < to; i++)
		for (int j = 0; j < N; j++)
			grid[i][j] += i - j; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t[T];
	for (long i = 0; i < T; i++)
		pthread_create(&t[i], NULL, turn, (void *)i);
	for (int i = 0; i < T; i++)
		pthread_join(t[i], NULL);
	printf("%ld\n", grid[3][4]);
	return 0;
}
