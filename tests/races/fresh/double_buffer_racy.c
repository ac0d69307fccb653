#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define SAMPLES 64

static short buf[2][SAMPLES];
static int filled = -1;			/* which one is full, or -1 */
static int finished;
static pthread_mutex_t mx = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

static void *capture(void *unused)
{
	int cur = 0, block, i;

	for (block = 0; block < 20; block++) {
		for (i = 0; i < SAMPLES; i++)
			buf[cur][i] = (short)(block * i);
		pthread_mutex_lock(&mx);
		while (filled != -1)
			pthread_cond_wait(&change, &mx);
		filled = cur;
		pthread_cond_broadcast(&change);
		pthread_mutex_unlock(&mx);
		cur = !cur;
		buf[!cur][0] = 0; // RACE!
	}
	pthread_mutex_lock(&mx);
	while (filled != -1)
		pthread_cond_wait(&change, &mx);
	finished = 1;
	pthread_cond_broadcast(&change);
	pthread_mutex_unlock(&mx);
	return unused;
}

static void *encode(void *unused)
{
	long energy = 0;
	int i;

	for (;;) {
		pthread_mutex_lock(&mx);
		while (filled == -1 && !finished)
			pthread_cond_wait(&change, &mx);
		if (filled == -1) {
			pthread_mutex_unlock(&mx);
			break;
		}
		pthread_mutex_unlock(&mx);
		for (i = 0; i < SAMPLES; i++)
			energy += buf[filled][i]; // TODO NORACE: a number that says whose buffer it is
		pthread_mutex_lock(&mx);
		filled = -1;
		pthread_cond_broadcast(&change);
		pthread_mutex_unlock(&mx);
	}
	printf("%ld\n", energy);
	return unused;
}

int main(void)
{
	pthread_t c, e;
	pthread_create(&c, NULL, capture, NULL);
	pthread_create(&e, NULL, encode, NULL);
	pthread_join(c, NULL);
	pthread_join(e, NULL);
	return 0;
}
