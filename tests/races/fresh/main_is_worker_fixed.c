#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NTHREADS 4
#define SIZE     4096

static unsigned char image[SIZE];
static unsigned lut_hits[NTHREADS];

static void *threshold(void *arg)
{
	int id = (int)(long)arg;
	int lo = id * (SIZE / NTHREADS), hi = lo + SIZE / NTHREADS, i;

	for (i = lo; i < hi; i++) {
		if (image[i] > 127) {
			image[i] = 255; // NORACE
			lut_hits[id]++; // NORACE
		} else {
			image[i] = 0;
		}
	}
	return NULL;
}

int main(void)
{
	pthread_t t[NTHREADS];
	unsigned sum = 0;
	int i;

	for (i = 0; i < SIZE; i++)
		image[i] = (unsigned char)(i * 37);
	for (i = 1; i < NTHREADS; i++)
		if (pthread_create(&t[i], NULL, threshold, (void *)(long)i))
			abort();
	threshold((void *)0L);
	for (i = 1; i < NTHREADS; i++)
		pthread_join(t[i], NULL);
	for (i = 0; i < NTHREADS; i++)
		sum += lut_hits[i];
	printf("%u\n", sum);
	return 0;
}
