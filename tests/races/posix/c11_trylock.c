/* mtx_trylock and mtx_timedlock say thrd_success, which is 0. */
#include <threads.h>
#include <time.h>

static mtx_t radio_lock;
static int channel, volume;

static int tuner(void *argument)
{
	struct timespec *limit = argument;
	if (mtx_trylock(&radio_lock) == thrd_success) {
		channel++; /* NORACE */
		mtx_unlock(&radio_lock);
	}
	if (mtx_timedlock(&radio_lock, limit) != thrd_success) {
		volume--; /* RACE */
		return 1; /* NOLEAK */
	}
	channel--; /* NORACE */
	mtx_unlock(&radio_lock);
	return 0;
}

int main(void)
{
	thrd_t threads[4];
	struct timespec limit = { .tv_sec = 1 };
	mtx_init(&radio_lock, mtx_timed);
	for (int i = 0; i < 4; i++)
		thrd_create(&threads[i], tuner, &limit);
	for (int i = 0; i < 4; i++)
		thrd_join(threads[i], NULL);
	return channel; /* NORACE */
}
