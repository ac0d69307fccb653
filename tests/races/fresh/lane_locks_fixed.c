// Lanes, each with a lock in an array of its own; who has the lock hands the number on to helpers, two deep, under
// other names, and a helper takes and lets go.
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
	lanes[which].tolls += coins; /* NORACE */
	queue_length[which]--; /* NORACE */
}

static void pass(int coins, unsigned n)
{
	lanes[n].cars++; /* NORACE */
	pay(n, coins);
}

static void close_gate(unsigned number) { pthread_mutex_lock(&gate[number]); }
static void open_gate(unsigned number) { pthread_mutex_unlock(&gate[number]); }

static void drive(unsigned seed)
{
	unsigned lane = seed * 7u % LANES;
	close_gate(lane);
	queue_length[lane]++; /* NORACE */
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
