#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static atomic_bool stop_requested;
static unsigned long spins;

static void *spinner(void *arg)
{
	unsigned long n = 0;
	while (!stop_requested) { // NORACE
		n++;
		usleep(100);
	}
	spins = n;
	return arg;
}

static void request_stop(void)
{
	stop_requested = true;
}

int main(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, spinner, NULL))
		return 1;
	usleep(3000);
	request_stop();
	pthread_join(t, NULL);
	printf("%lu\n", spins);
	return 0;
}
