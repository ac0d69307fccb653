/* There is room, the lock is dropped to log, and the place is taken. */
#include <pthread.h>
#include <stdio.h>

#define ROOM 128
struct job { int what; };
static struct {
	pthread_mutex_t mutex;
	pthread_cond_t more;
	struct job jobs[ROOM];
	int count;
} queue = { .mutex = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER };

static int queue_put(struct job job)
{
	pthread_mutex_lock(&queue.mutex);
	if (queue.count == ROOM) {
		pthread_mutex_unlock(&queue.mutex);
		return -1;
	}
	pthread_mutex_unlock(&queue.mutex);
	fprintf(stderr, "job %d\n", job.what);
	pthread_mutex_lock(&queue.mutex);
	queue.jobs[queue.count] = job; /* STALE-CHECK */
	queue.count++;
	pthread_cond_signal(&queue.more);
	pthread_mutex_unlock(&queue.mutex);
	return 0;
}

static void *producer(void *number)
{
	struct job job = { *(int *)number };

	while (queue_put(job) == 0)
		job.what++;
	return NULL;
}

static void *consumer(void *unused)
{
	struct job job;

	(void)unused;
	for (;;) {
		pthread_mutex_lock(&queue.mutex);
		while (queue.count == 0)
			pthread_cond_wait(&queue.more, &queue.mutex);
		job = queue.jobs[--queue.count];
		pthread_mutex_unlock(&queue.mutex);
		printf("%d\n", job.what);
	}
	return NULL;
}

int main(void)
{
	static int numbers[2] = { 1, 1000 };
	pthread_t threads[3];

	pthread_create(&threads[0], NULL, producer, &numbers[0]);
	pthread_create(&threads[1], NULL, producer, &numbers[1]);
	pthread_create(&threads[2], NULL, consumer, NULL);
	pthread_join(threads[2], NULL);
	return 0;
}
