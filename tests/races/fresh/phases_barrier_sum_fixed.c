#include <pthread.h>
#include <stdio.h>
#define N 4
static long cell[N], rotated[N];
static pthread_barrier_t sync_point;

static void *node(void *arg)
{
	long me = (long)arg;

	cell[me] = me * me;
	pthread_barrier_wait(&sync_point);
	rotated[me] = cell[(me + 1) % N]; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t[N];
	long i, sum = 0;
	pthread_barrier_init(&sync_point, NULL, N);
	for (i = 0; i < N; i++)
		pthread_create(&t[i], NULL, node, (void *)i);
	for (i = 0; i < N; i++) {
		pthread_join(t[i], NULL);
		sum += rotated[i];
	}
	pthread_barrier_destroy(&sync_point);
	printf("%ld\n", sum);
	return 0;
}
