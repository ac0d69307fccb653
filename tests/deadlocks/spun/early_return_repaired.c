/* A word claimed by compare-and-swap, with naps in between, and let go on every way. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

static atomic_bool ring_busy;
static int ring[64], ring_used;

static void ring_lock(void)
{
	bool idle = false;
	while (!atomic_compare_exchange_weak(&ring_busy, &idle, true)) {
		idle = false;
		usleep(50);
	}
}

static void ring_unlock(void) { atomic_store(&ring_busy, false); }

static int ring_put(int value)
{
	ring_lock();
	if (ring_used == 64) {
		ring_unlock();
		return -1;
	}
	ring[ring_used++] = value;
	ring_unlock();
	return 0;
}

static int ring_get(int *value)
{
	int got = 0;
	ring_lock();
	if (ring_used) {
		*value = ring[--ring_used];
		got = 1;
	}
	ring_unlock();
	return got;
}

static void *producer(void *argument)
{
	for (int i = 0; i < 100; i++)
		ring_put(i);
	return argument;
}

int main(void)
{
	pthread_t thread;
	int value;
	pthread_create(&thread, 0, producer, 0);
	for (int i = 0; i < 100; i++)
		ring_get(&value);
	pthread_join(thread, 0);
	return 0;
}
