/* A bounded queue between two threads; somebody asks for its length without the lock. */
#include <pthread.h>

#define SIZE 16
static struct queue {
	pthread_mutex_t lock;
	pthread_cond_t not_empty, not_full;
	int items[SIZE];
	int head, length;
} queue = { .lock = PTHREAD_MUTEX_INITIALIZER, .not_empty = PTHREAD_COND_INITIALIZER, .not_full = PTHREAD_COND_INITIALIZER };

static void put(int item)
{
	pthread_mutex_lock(&queue.lock);
	while (queue.length == SIZE)
		pthread_cond_wait(&queue.not_full, &queue.lock);
	queue.items[(queue.head + queue.length) % SIZE] = item;
	queue.length++;
	pthread_cond_signal(&queue.not_empty);
	pthread_mutex_unlock(&queue.lock);
}

static int take(void)
{
	int item;
	pthread_mutex_lock(&queue.lock);
	while (queue.length == 0)
		pthread_cond_wait(&queue.not_empty, &queue.lock);
	item = queue.items[queue.head]; /* NORACE */
	queue.head = (queue.head + 1) % SIZE; /* NORACE */
	queue.length--;
	pthread_cond_signal(&queue.not_full);
	pthread_mutex_unlock(&queue.lock);
	return item;
}

static void *producer(void *argument)
{
	for (int i = 0; i < 100; i++)
		put(i);
	return argument;
}

static void *consumer(void *argument)
{
	while (take() != 99)
		;
	return argument;
}

int main(void)
{
	pthread_t a, b;
	int busy = 0;
	pthread_create(&a, NULL, producer, NULL);
	pthread_create(&b, NULL, consumer, NULL);
	if (queue.length > SIZE / 2) /* RACE */
		busy = 1;
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return busy + queue.length; /* NORACE */
}
