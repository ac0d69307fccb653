/* Functions of a lock type of the program's own that try first, count, and look whether there are threads at all: what
   they do is done where they are called. */
#include <pthread.h>

struct latch { pthread_mutex_t mutex; unsigned long waits; const char *where; };
static struct latch north = { PTHREAD_MUTEX_INITIALIZER, 0, 0 }, south = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
static int threaded = 1, taken, log_level;

static int told;
static void tell(const char *where) { if (log_level > 2 && where) told++; }

static void latch_take(struct latch *latch, const char *where)
{
	int busy = 1;
	if (!threaded)
		return;
	if (log_level)
		busy = pthread_mutex_trylock(&latch->mutex);
	if (busy)
		pthread_mutex_lock(&latch->mutex);
	if (busy)
		latch->waits++;
	latch->where = where;
	tell(where);
}

static int latch_give(struct latch *latch)
{
	int error = 0;
	if (threaded) {
		latch->where = 0;
		do {
			error = pthread_mutex_unlock(&latch->mutex);
		} while (error == 4);
	}
	return error;
}

static void *down(void *argument)
{
	latch_take(&north, "down");
	latch_take(&south, "down"); /* DEADLOCK@a */
	taken++;
	latch_give(&south);
	latch_give(&north);
	return argument;
}

static void *up(void *argument)
{
	latch_take(&south, "up");
	latch_take(&north, "up"); /* DEADLOCK@a */
	taken--;
	latch_give(&north);
	latch_give(&south);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, down, NULL);
	pthread_create(&b, NULL, up, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
