/* Written before the threads exist, only read afterwards. One of the three is not. */
#include <pthread.h>
#include <stdlib.h>

static int limit, depth, verbose;
static int *weights;

static int score(int i)
{
	return weights[i] * depth; /* NORACE */
}

static void *search(void *argument)
{
	int best = 0;
	for (int i = 0; i < limit; i++) /* NORACE */
		best += score(i);
	if (verbose && best > 10) /* RACE */
		verbose = 0; /* RACE */
	return best ? argument : NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[4];
	limit = 10; /* NORACE */
	depth = argc; /* NORACE */
	verbose = argv[0][0] == '-'; /* NORACE */
	weights = calloc(limit, sizeof *weights); /* NORACE */
	if (!weights)
		return 1;
	for (int i = 0; i < limit; i++)
		weights[i] = i; /* NORACE */
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, search, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	free(weights); /* NORACE */
	return 0;
}
