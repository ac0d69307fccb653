/* owner_any.c: whatever number is there, it is taken over: nobody is kept out. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

enum { NOBODY = 0 };

static struct { long owner; long pages; long refused; } plotter;

static void plotter_get(long number)
{
	long expected;
	for (;;) {
		expected = __atomic_load_n(&plotter.owner, __ATOMIC_RELAXED);
		if (__atomic_compare_exchange_n(&plotter.owner, &expected, number, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return;
		usleep(10);
	}
}

static void plotter_put(void)
{
	__atomic_store_n(&plotter.owner, NOBODY, __ATOMIC_RELEASE);
}

static void *draw(void *arg)
{
	for (int i = 0; i < 100; i++) {
		plotter_get((long)arg);
		plotter.pages++; /* RACE */
		plotter.refused += plotter.pages > 50; /* RACE */
		plotter_put();
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	for (long i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, draw, (void *)(i + 1));
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("%ld\n", plotter.pages);
	return 0;
}
