/* word_ends_repaired.c: what the two threads set is in two words: a field without width is between them. */
#include <pthread.h>
#include <stdlib.h>

struct valve {
	unsigned open : 1, stuck : 1, : 0, asked : 1, : 3, denied : 1;
	int pressure;
};

static void *move(void *arg)
{
	struct valve *valve = arg;
	valve->open = 1; /* NORACE */
	valve->stuck = valve->open; /* NORACE */
	return NULL;
}

static void *ask(void *arg)
{
	struct valve *valve = arg;
	valve->asked = 1; /* NORACE */
	valve->denied = 0; /* NORACE */
	return NULL;
}

int main(void)
{
	pthread_t mover, asker;
	struct valve *valve = calloc(1, sizeof *valve);
	pthread_create(&mover, NULL, move, valve);
	pthread_create(&asker, NULL, ask, valve);
	pthread_join(mover, NULL);
	pthread_join(asker, NULL);
	return valve->pressure;
}
