/* seats[i] belongs to locks[i]. The second hall takes the lock of another row. */
#include <pthread.h>
#include <stdint.h>

#define ROWS 32
static pthread_mutex_t stalls_locks[ROWS], circle_locks[ROWS];
static int stalls[ROWS], circle[ROWS];

static void book_stalls(int row)
{
	pthread_mutex_lock(&stalls_locks[row]);
	stalls[row]++; /* NORACE */
	pthread_mutex_unlock(&stalls_locks[row]);
}

static void book_circle(int row, int neighbour)
{
	pthread_mutex_lock(&circle_locks[row]);
	circle[row]++;
	circle[neighbour]--; /* RACE */
	pthread_mutex_unlock(&circle_locks[row]);
}

static void *counter(void *argument)
{
	int row = (int)((uintptr_t)argument % ROWS);
	book_stalls(row);
	book_circle(row, (row + 1) % ROWS);
	return NULL;
}

int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < ROWS; i++) {
		pthread_mutex_init(&stalls_locks[i], NULL);
		pthread_mutex_init(&circle_locks[i], NULL);
	}
	for (uintptr_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, counter, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return stalls[0] + circle[0]; /* NORACE */
}
