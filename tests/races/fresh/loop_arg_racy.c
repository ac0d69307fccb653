#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define N_CHUNKS 4
#define CHUNK_LEN 1000

static unsigned char blob[N_CHUNKS * CHUNK_LEN];
static unsigned sums[N_CHUNKS];

static void fill(void)
{
	for (size_t i = 0; i < sizeof(blob); i++)
		blob[i] = (unsigned char)(i * 31u);
}

static void *sum_chunk(void *arg)
{
	int c = *(int *)arg;
	const unsigned char *p = blob + c * CHUNK_LEN;
	unsigned acc = 0;

	for (int i = 0; i < CHUNK_LEN; i++)
		acc += p[i];
	__atomic_store_n(&sums[c], acc, __ATOMIC_RELAXED);
	return NULL;
}

int main(void)
{
	pthread_t tid[N_CHUNKS];
	unsigned total = 0;
	int i;

	fill();
	for (i = 0; i < N_CHUNKS; i++) { // RACE!
		if (pthread_create(&tid[i], NULL, sum_chunk, &i)) {
			perror("pthread_create");
			exit(1);
		}
	}
	for (int k = 0; k < N_CHUNKS; k++)
		pthread_join(tid[k], NULL);
	for (int k = 0; k < N_CHUNKS; k++)
		total += sums[k];
	printf("total %u\n", total);
	return 0;
}
