#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

/* busy flag by __atomic_test_and_set; loser goes away */
static bool busy;
static struct { int runs; long last; } job;
static int skipped;

static bool run_job(long stamp)
{
	if (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE)) {
		__atomic_fetch_add(&skipped, 1, __ATOMIC_RELAXED);
		return false;
	}
	job.runs++; // NORACE
	job.last = stamp;
	__atomic_clear(&busy, __ATOMIC_RELEASE);
	return true;
}

static void *caller(void *arg)
{
	long i;
	for (i = 0; i < 2000; i++) {
		run_job(i);
		if (i % 50 == 0)
			sched_yield();
	}
	return arg;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, NULL, caller, NULL);
	pthread_create(&b, NULL, caller, NULL);
	pthread_create(&c, NULL, caller, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	printf("%d runs, %d skipped\n", job.runs, skipped);
	return 0;
}
