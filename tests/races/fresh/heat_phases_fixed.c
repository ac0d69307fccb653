#include <pthread.h>
#include <stdio.h>

enum { PLACES = 6, STEPS = 50 };

static double now[PLACES + 2], then[PLACES + 2];
static pthread_barrier_t gate;

static void *place(void *arg)
{
	int me = *(int *)arg;

	for (int s = 0; s < STEPS; s++) {
		then[me] = (now[me - 1] + now[me + 1]) / 2; // NORACE
		pthread_barrier_wait(&gate);
		now[me] = then[me]; // NORACE
		pthread_barrier_wait(&gate);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[PLACES];
	int id[PLACES];

	now[0] = 100;
	pthread_barrier_init(&gate, NULL, PLACES);
	for (int i = 0; i < PLACES; i++) {
		id[i] = i + 1;
		pthread_create(&t[i], NULL, place, &id[i]);
	}
	for (int i = 0; i < PLACES; i++)
		pthread_join(t[i], NULL);
	for (int i = 1; i <= PLACES; i++)
		printf("%.1f ", now[i]);
	return 0;
}
