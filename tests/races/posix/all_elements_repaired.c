/* The same; each sum of one lane is made under its own guard. */
#include <pthread.h>
#include <stdlib.h>

#define LANES 5
static struct lane {
	pthread_mutex_t guard;
	long load;
	long parcels[16];
	int head;
} lanes[LANES];
static long heaviest;

static long all_loads(void)
{
	long sum = 0;
	for (int i = 0; i < LANES; i++)
		pthread_mutex_lock(&lanes[i].guard);
	for (int k = 0; k < LANES; k++)
		sum += lanes[k].load; /* NORACE */
	for (int i = 0; i < LANES; i++)
		pthread_mutex_unlock(&lanes[i].guard);
	return sum;
}

static long some_loads(int which)
{
	pthread_mutex_lock(&lanes[which].guard);
	long sum = lanes[which].load; /* NORACE */
	pthread_mutex_unlock(&lanes[which].guard);
	return sum;
}

static void shift(int from, int to)
{
	int low, high;
	if (from == to)
		return;
	if (from < to) {
		low = from;
		high = to;
	} else {
		low = to;
		high = from;
	}
	pthread_mutex_lock(&lanes[low].guard);
	pthread_mutex_lock(&lanes[high].guard);
	lanes[to].parcels[lanes[to].head++ & 15] = 1; /* NORACE */
	lanes[to].load++; /* NORACE */
	lanes[from].load--;
	pthread_mutex_unlock(&lanes[high].guard);
	pthread_mutex_unlock(&lanes[low].guard);
}

static void *porter(void *seed)
{
	unsigned state = *(unsigned *)seed;
	for (int i = 0; i < 100; i++) {
		shift(rand_r(&state) % LANES, rand_r(&state) % LANES);
		if (some_loads(rand_r(&state) % LANES) > 9)
			return seed;
	}
	return NULL;
}

int main(void)
{
	static unsigned seeds[] = {3, 5};
	pthread_t one, two;
	for (int i = 0; i < LANES; i++)
		pthread_mutex_init(&lanes[i].guard, NULL);
	pthread_create(&one, NULL, porter, &seeds[0]);
	pthread_create(&two, NULL, porter, &seeds[1]);
	heaviest = all_loads();
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return heaviest > 0;
}
