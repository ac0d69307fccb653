/* A meter keeps its levels and their sum in memory of its own, made by a helper that never fails. A thread adds to both
   without the lock. Each caller's memory is its own: what the printer has is nobody else's. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
	pthread_mutex_t mutex;
	int *levels;
	long *sum;
} meter = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static void *must_make(size_t count, size_t size)
{
	void *made = calloc(count, size);
	if (!made)
		abort();
	return made;
}

static void put(int *levels, int at, int value)
{
	levels[at] = value; /* RACE@a */
}

static void *measure(void *argument)
{
	for (int i = 0; i < 4000; i++) {
		put(meter.levels, i % 8, i);
		*meter.sum += i; /* RACE@b */
	}
	return argument;
}

static long show(void)
{
	int *copy = must_make(8, sizeof *copy);
	long all;
	pthread_mutex_lock(&meter.mutex);
	for (int i = 0; i < 8; i++)
		copy[i] = meter.levels[i]; /* RACE@a */
	all = *meter.sum; /* RACE@b */
	pthread_mutex_unlock(&meter.mutex);
	for (int i = 0; i < 8; i++)
		printf("%d\n", copy[i]); /* NORACE */
	free(copy);
	return all;
}

int main(void)
{
	pthread_t thread;
	meter.levels = must_make(8, sizeof *meter.levels);
	meter.sum = must_make(1, sizeof *meter.sum);
	*meter.sum = 1; /* NORACE */
	pthread_create(&thread, NULL, measure, NULL);
	show();
	pthread_join(thread, NULL);
	return *meter.sum == 0; /* NORACE */
}
