#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NBUF 4
#define BUFSZ 64

typedef struct buf {
	struct buf *next;
	char data[BUFSZ];
} buf_t;

struct bufpool {
	sem_t avail;		/* counts free buffers */
	pthread_mutex_t lock;
	buf_t *freelist;
	buf_t store[NBUF];
};

static void bp_init(struct bufpool *bp)
{
	sem_init(&bp->avail, 0, NBUF);
	pthread_mutex_init(&bp->lock, NULL);
	bp->freelist = NULL;
	for (int i = 0; i < NBUF; i++) {
		bp->store[i].next = bp->freelist;
		bp->freelist = &bp->store[i];
	}
}

static buf_t *bp_get(struct bufpool *bp)
{
	buf_t *b;

	sem_wait(&bp->avail);
	pthread_mutex_lock(&bp->lock);
	b = bp->freelist; // NORACE
	bp->freelist = b->next; // NORACE
	pthread_mutex_unlock(&bp->lock);
	return b;
}

static void bp_put(struct bufpool *bp, buf_t *b)
{
	pthread_mutex_lock(&bp->lock);
	b->next = bp->freelist; // NORACE
	bp->freelist = b; // NORACE
	pthread_mutex_unlock(&bp->lock);
	sem_post(&bp->avail);
}

static struct bufpool pool;

static void *io_thread(void *arg)
{
	int id = *(const int *)arg;
	for (int i = 0; i < 3000; i++) {
		buf_t *b = bp_get(&pool);
		snprintf(b->data, sizeof b->data, "io %d block %d", id, i);
		bp_put(&pool, b);
	}
	return NULL;
}

int main(void)
{
	static const int ids[2] = { 1, 2 };
	pthread_t t[2];

	bp_init(&pool);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, io_thread, (void *)&ids[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	puts(pool.store[0].data);
	sem_destroy(&pool.avail);
	return 0;
}
