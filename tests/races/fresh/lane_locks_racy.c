// As lane_locks_fixed.c, but somebody pays for another lane than the one whose gate is closed.
#include <pthread.h>
#include <stddef.h>

#define LANES 4
static pthread_mutex_t gate[LANES] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                      PTHREAD_MUTEX_INITIALIZER};
static struct lane {
	int cars, tolls;
} lanes[LANES];
static long queue_length[LANES];

static void pay(unsigned which, int coins)
{
	lanes[which].tolls += coins; /* RACE */
	queue_length[which]--; /* RACE */
}

static void pass(int coins, unsigned n)
{
	lanes[n].cars++;
	pay((unsigned)coins, coins);
}

static void close_gate(unsigned number) { pthread_mutex_lock(&gate[number]); }
static void open_gate(unsigned number) { pthread_mutex_unlock(&gate[number]); }

static void drive(unsigned seed)
{
	unsigned lane = seed * 7u % LANES;
	close_gate(lane);
	queue_length[lane]++;
	pass(2, lane);
	open_gate(lane);
}

static void *driver(void *arg)
{
	unsigned seed = (unsigned)(size_t)arg;
	for (int i = 0; i < 99; i++) {
		drive(seed + i);
		unsigned other = (seed ^ i) % LANES;
		pthread_mutex_lock(&gate[other]);
		pass(1, other);
		pthread_mutex_unlock(&gate[other]);
	}
	return NULL;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, driver, (void *)1);
	pthread_create(&two, NULL, driver, (void *)2);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
