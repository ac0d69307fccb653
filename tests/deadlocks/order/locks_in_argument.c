/* Movers are told in memory of their own which two stores to lock, and in which order: the second one the other way. */
#include <pthread.h>
#include <stdlib.h>

struct move {
	pthread_mutex_t *from, *to;
	int times;
};
static pthread_mutex_t attic = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t cellar = PTHREAD_MUTEX_INITIALIZER;

static void move_once(struct move *move)
{
	pthread_mutex_lock(move->from);
	pthread_mutex_lock(move->to); /* DEADLOCK */
	move->times--;
	pthread_mutex_unlock(move->to);
	pthread_mutex_unlock(move->from);
}

static void *mover(void *argument)
{
	struct move *move = argument;
	while (move->times > 0)
		move_once(move);
	free(move);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	struct move *up = malloc(sizeof *up), *down = malloc(sizeof *down);
	up->from = &cellar;
	up->to = &attic;
	up->times = 8;
	down->from = &attic;
	down->to = &cellar;
	down->times = 8;
	pthread_create(&threads[0], NULL, mover, up);
	pthread_create(&threads[1], NULL, mover, down);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
