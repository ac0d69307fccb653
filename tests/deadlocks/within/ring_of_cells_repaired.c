/* Each cell holds its own lock and takes its right neighbour's, in a row: the last one waits for nobody. */
#include <pthread.h>

#define CELLS 8
struct cell { pthread_mutex_t lock; struct cell *right; long heat; };
static struct cell ring[CELLS], wall;

static void exchange_heat(struct cell *cell)
{
	pthread_mutex_lock(&cell->lock);
	pthread_mutex_lock(&cell->right->lock);
	long middle = (cell->heat + cell->right->heat) / 2;
	cell->heat = cell->right->heat = middle;
	pthread_mutex_unlock(&cell->right->lock);
	pthread_mutex_unlock(&cell->lock);
}

static void *step(void *argument)
{
	for (int i = 0; i < 1000; i++)
		exchange_heat(argument);
	return argument;
}

int main(void)
{
	pthread_t threads[CELLS];
	for (int i = 0; i < CELLS; i++) {
		pthread_mutex_init(&ring[i].lock, 0);
		ring[i].right = i + 1 < CELLS ? &ring[i + 1] : &wall;
	}
	for (int i = 0; i < CELLS; i++)
		pthread_create(&threads[i], 0, step, &ring[i]);
	for (int i = 0; i < CELLS; i++)
		pthread_join(threads[i], 0);
	return 0;
}
