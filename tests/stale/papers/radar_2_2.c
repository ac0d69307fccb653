/* Radar, Figure 2.2: the lock is let go while the data is produced: the consumer may take the buffer away. No race. */
#include <pthread.h>
#include <stdlib.h>

struct buffer_list { int *data; int flag; struct buffer_list *next; };
static struct buffer_list *bufs;
static pthread_mutex_t buf_lock = PTHREAD_MUTEX_INITIALIZER;
static int perf_ctr;
extern int produce(void);
extern void consume(int value);
extern struct buffer_list *make_bufs(void);

static void *consumer1(void *unused)
{
	struct buffer_list *cx;
	perf_ctr = 0;
	cx = bufs;
	while (cx != NULL) {
		pthread_mutex_lock(&buf_lock);
		if (cx->data != NULL) {
			consume(*cx->data); /* NOSTALE-CHECK */
			cx->data = NULL;
			cx = cx->next;
		}
		pthread_mutex_unlock(&buf_lock);
	}
	return unused;
}

static void *producer1(void *unused)
{
	struct buffer_list *px = bufs;
	int t;
	while (px != NULL) {
		pthread_mutex_lock(&buf_lock);
		px->data = malloc(sizeof(int));
		pthread_mutex_unlock(&buf_lock);
		perf_ctr++;
		t = produce();
		pthread_mutex_lock(&buf_lock);
		*px->data = t; /* STALE-CHECK */
		pthread_mutex_unlock(&buf_lock);
		px = px->next;
	}
	return unused;
}

int main(void)
{
	pthread_t producer, consumer;
	bufs = make_bufs();
	pthread_create(&producer, NULL, producer1, NULL);
	pthread_create(&consumer, NULL, consumer1, NULL);
	pthread_join(producer, NULL);
	pthread_join(consumer, NULL);
	return 0;
}
