/* Message passing through an atomic flag, no lock. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static int payload[4];
static atomic_int ready;

static void *writer(void *unused)
{
	int i;

	for (i = 0; i < 4; i++)
		payload[i] = i * i; // NORACE
	atomic_store_explicit(&ready, 1, memory_order_release);
	return unused;
}

static void *reader(void *unused)
{
	int i, sum = 0;

	while (!atomic_load_explicit(&ready, memory_order_acquire))
		sched_yield();
	for (i = 0; i < 4; i++)
		sum += payload[i];
	printf("%d\n", sum);
	return unused;
}

int main(void)
{
	pthread_t w, r;

	pthread_create(&r, NULL, reader, NULL);
	pthread_create(&w, NULL, writer, NULL);
	pthread_join(w, NULL);
	pthread_join(r, NULL);
	return 0;
}
