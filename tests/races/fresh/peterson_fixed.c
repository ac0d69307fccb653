#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int want[2];
static atomic_int turn;
static long shared_sum;

static void enter(int me)
{
	int other = 1 - me;
	atomic_store(&want[me], 1);
	atomic_store(&turn, other);
	while (atomic_load(&want[other]) && atomic_load(&turn) == other)
		sched_yield();
}

static void leave(int me)
{
	atomic_store(&want[me], 0);
}

static void *left(void *p)
{
	int i;
	for (i = 0; i < 1000; i++) {
		enter(0);
		shared_sum += i; // TODO NORACE: locks made of plain loads and stores
		leave(0);
	}
	return p;
}

static void *right(void *p)
{
	int i;
	for (i = 0; i < 1000; i++) {
		enter(1);
		shared_sum -= i; // TODO NORACE: locks made of plain loads and stores
		leave(1);
	}
	return p;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, left, NULL);
	pthread_create(&b, NULL, right, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%ld\n", shared_sum);
	return 0;
}
