/* Tables that nobody writes need no lock; the cache beside them does. */
#include <pthread.h>

static const unsigned char bits[16] = { 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4 };
static const char *const names[] = { "zero", "one", "two" };
static int powers[4] = { 1, 2, 4, 8 };
static int cached_input, cached_bits;

static int count_bits(int value)
{
	if (value == cached_input) /* RACE */
		return cached_bits; /* RACE */
	cached_input = value; /* RACE */
	cached_bits = bits[value & 15] + bits[value >> 4 & 15]; /* RACE */
	return cached_bits; /* RACE */
}

static void *counter(void *argument)
{
	int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += names[i][0] + powers[i]; /* NORACE */
	sum += bits[sum & 15]; /* NORACE */
	return count_bits(sum) ? argument : NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, counter, NULL);
	pthread_create(&threads[1], NULL, counter, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
