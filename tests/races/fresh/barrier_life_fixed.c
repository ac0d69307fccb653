/* Conway's life, rows split among threads, two generations buffers. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define H 16
#define W 16
#define T 4
#define GENS 10

static unsigned char world[H][W], fresh[H][W];
static pthread_barrier_t bar;

static int neighbours(int y, int x)
{
	int n = 0, dy, dx;
	for (dy = -1; dy <= 1; dy++)
		for (dx = -1; dx <= 1; dx++)
			if (dy || dx)
				n += world[(y + dy + H) % H][(x + dx + W) % W]; // NORACE
	return n;
}

static void *band(void *arg)
{
	int id = (int)(long)arg;
	int lo = id * H / T, hi = (id + 1) * H / T;
	int g, y, x;

	for (g = 0; g < GENS; g++) {
		for (y = lo; y < hi; y++)
			for (x = 0; x < W; x++) {
				int n = neighbours(y, x);
				fresh[y][x] = n == 3 || (n == 2 && world[y][x]); // NORACE
			}
		pthread_barrier_wait(&bar);
		for (y = lo; y < hi; y++)
			memcpy(world[y], fresh[y], W); // NORACE
		pthread_barrier_wait(&bar);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[T];
	int i, alive = 0;

	world[1][2] = world[2][3] = world[3][1] = world[3][2] = world[3][3] = 1;
	pthread_barrier_init(&bar, NULL, T);
	for (i = 0; i < T; i++)
		pthread_create(&t[i], NULL, band, (void *)(long)i);
	for (i = 0; i < T; i++)
		pthread_join(t[i], NULL);
	for (i = 0; i < H * W; i++)
		alive += world[i / W][i % W];
	printf("%d cells\n", alive);
	return 0;
}
