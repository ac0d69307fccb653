#include <pthread.h>
#include <stdio.h>

#define ROWS 8
#define COLS 32

static int grid[ROWS][COLS];

static void *fill_row(void *arg)
{
	int r = (int)(long)arg;
	int c;

	for (c = 0; c < COLS; c++)
		grid[r][c] = r * c; // RACE!
	if (r + 1 < ROWS)
		grid[r + 1][0] = 0;
	return NULL;
}

int main(void)
{
	pthread_t t[ROWS];
	int r, c;
	long sum = 0;

	for (r = 0; r < ROWS; r++)
		pthread_create(&t[r], NULL, fill_row, (void *)(long)r);
	for (r = 0; r < ROWS; r++)
		pthread_join(t[r], NULL);
	for (r = 0; r < ROWS; r++)
		for (c = 0; c < COLS; c++)
			sum += grid[r][c];
	printf("%ld\n", sum);
	return 0;
}
