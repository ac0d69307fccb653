/* word_ends.c: what the two threads set is in one word: a field with a width only leaves room in it. */
#include <pthread.h>
#include <stdlib.h>

struct valve {
	unsigned open : 1, stuck : 1, : 4, asked : 1, : 3, denied : 1;
	int pressure;
};

static void *move(void *arg)
{
	struct valve *valve = arg;
	valve->open = 1; /* RACE */
	valve->stuck = valve->open; /* RACE */
	return NULL;
}

static void *ask(void *arg)
{
	struct valve *valve = arg;
	valve->asked = 1; /* RACE */
	valve->denied = 0; /* RACE */
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
