/* Radar, Figure 2.3: no lock, a flag says whose turn it is. Nothing was true under a lock. */
#include <pthread.h>
#include <stdlib.h>

struct buffer_list { int *data; int flag; struct buffer_list *next; };
static struct buffer_list *bufs;
static pthread_mutex_t buf_lock = PTHREAD_MUTEX_INITIALIZER;
static int perf_ctr;
extern int produce(void);
extern void consume(int value);
extern struct buffer_list *make_bufs(void);

static void *producer2(void *unused)
{
	struct buffer_list *px = bufs;
	int t;
	while (px != NULL) {
		while (px->flag != 0)
			;
		px->data = malloc(sizeof(int));
		t = produce();
		*px->data = t; /* NOSTALE-CHECK */
		px->flag = 1;
		px = px->next;
	}
	return unused;
}

static void *consumer2(void *unused)
{
	struct buffer_list *cx;
	perf_ctr = 0;
	cx = bufs;
	while (cx != NULL) {
		while (cx->flag == 0)
			;
		if (cx->data != NULL) {
			consume(*cx->data); /* NOSTALE-CHECK */
			cx->data = NULL;
			cx = cx->next;
		}
		cx->flag = 0;
	}
	return unused;
}

int main(void)
{
	pthread_t producer, consumer;
	bufs = make_bufs();
	pthread_create(&producer, NULL, producer2, NULL);
	pthread_create(&consumer, NULL, consumer2, NULL);
	pthread_join(producer, NULL);
	pthread_join(consumer, NULL);
	return 0;
}
