#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define P(s) sem_wait(s)
#define V(s) sem_post(s)

static sem_t mutex;
static int tickets = 500;
static int sold_by[4];

static int buy(int who)
{
	int ok = 0;

	if (tickets <= 0) // RACE!
		return 0;
	P(&mutex);
	if (tickets > 0) {
		tickets--;
		sold_by[who]++;
		ok = 1;
	}
	V(&mutex);
	return ok;
}

static void *counter_clerk(void *arg)
{
	int who = *(int *)arg;
	while (buy(who))
		;
	return NULL;
}

int main(void)
{
	pthread_t clerk[4];
	int ids[4], i, total = 0;

	sem_init(&mutex, 0, 1);
	for (i = 0; i < 4; i++) {
		ids[i] = i;
		pthread_create(&clerk[i], NULL, counter_clerk, &ids[i]);
	}
	for (i = 0; i < 4; i++) {
		pthread_join(clerk[i], NULL);
		total += sold_by[i];
	}
	printf("%d sold\n", total);
	sem_destroy(&mutex);
	return 0;
}
