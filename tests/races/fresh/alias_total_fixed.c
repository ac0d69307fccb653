#include <pthread.h>
#include <stdio.h>

static long total;
static long *const total_view = &total;
static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;

static void bump(long *where, long by)
{
	*where += by; // NORACE
}

static void locked_bump(long by)
{
	pthread_mutex_lock(&total_lock);
	bump(&total, by);
	pthread_mutex_unlock(&total_lock);
}

static void *adder(void *arg)
{
	int i;
	for (i = 0; i < 100; i++)
		locked_bump(i);
	return arg;
}

static void *fixer(void *arg)
{
	int i;
	for (i = 0; i < 10; i++) {
		pthread_mutex_lock(&total_lock);
		bump(total_view, -1);
		pthread_mutex_unlock(&total_lock);
	}
	return arg;
}

static void report(const char *when)
{
	pthread_mutex_lock(&total_lock);
	printf("%s: %ld\n", when, *total_view);
	pthread_mutex_unlock(&total_lock);
}

int main(void)
{
	pthread_t a, b;

	report("before");
	pthread_create(&a, NULL, adder, NULL);
	pthread_create(&b, NULL, fixer, NULL);
	report("during");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	report("after");
	return 0;
}
