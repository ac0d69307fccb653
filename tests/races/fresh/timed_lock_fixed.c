#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t disk = PTHREAD_MUTEX_INITIALIZER;
static unsigned blocks_written;
static unsigned timeouts;

static int write_block(void)
{
	struct timespec until;
	int rc;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	rc = pthread_mutex_timedlock(&disk, &until);
	if (rc == ETIMEDOUT) {
		__sync_fetch_and_add(&timeouts, 1);
		return -1;
	}
	if (rc != 0)
		return -1;
	blocks_written++; // NORACE
	pthread_mutex_unlock(&disk);
	return 0;
}

static void *flusher(void *arg)
{
	int i, bad = 0;
	for (i = 0; i < 10; i++)
		if (write_block() < 0)
			bad++;
	*(int *)arg = bad;
	return NULL;
}

int main(void)
{
	pthread_t t[3];
	int bad[3], i;

	for (i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, flusher, &bad[i]);
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%u written, %u timeouts\n", blocks_written, timeouts);
	return 0;
}
