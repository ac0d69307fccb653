#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define N 4
#define LAPS 25

/* Whoever has the token owns `baton`; the token goes round by semaphores. */
static sem_t turn[N];
static struct { long passes; int last; } baton;

static void *runner(void *arg)
{
	int me = *(int *)arg, lap;

	for (lap = 0; lap < LAPS; lap++) {
		sem_wait(&turn[me]);
		baton.passes++; // RACE!
		baton.last = me; // RACE!
		sem_post(&turn[(me + 1) % N]);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[N];
	int id[N], i;

	for (i = 0; i < N; i++) {
		id[i] = i;
		sem_init(&turn[i], 0, i < 2 ? 1 : 0);
	}
	for (i = 0; i < N; i++)
		pthread_create(&t[i], NULL, runner, &id[i]);
	for (i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	printf("%ld passes, last %d\n", baton.passes, baton.last);
	return 0;
}
