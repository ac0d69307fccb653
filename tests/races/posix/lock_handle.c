/* A lock type of the program's own, handed about by pointers: a lock is known by where its handle is kept, not by the
   type that all handles have. */
#include <pthread.h>
#include <stdlib.h>

struct latch { pthread_mutex_t mutex; const char *holder; };
struct queue { struct latch *latch; int length; };
struct table { struct latch *latch; int size; };
static struct queue queue;
static struct table table;

static void latch_take(struct latch *latch, const char *who)
{
	pthread_mutex_lock(&latch->mutex);
	latch->holder = who; /* NORACE */
}

static void latch_give(struct latch *latch)
{
	latch->holder = NULL; /* NORACE */
	pthread_mutex_unlock(&latch->mutex);
}

static struct latch *latch_new(void)
{
	struct latch *latch = calloc(1, sizeof *latch);
	if (!latch)
		abort();
	pthread_mutex_init(&latch->mutex, NULL);
	return latch;
}

static void *produce(void *argument)
{
	latch_take(queue.latch, "produce");
	queue.length++; /* RACE */
	latch_give(queue.latch);
	latch_take(table.latch, "produce");
	table.size++; /* NORACE */
	latch_give(table.latch);
	return argument;
}

static void *consume(void *argument)
{
	latch_take(table.latch, "consume");
	queue.length--; /* RACE */
	table.size--; /* NORACE */
	latch_give(table.latch);
	return argument;
}

static void table_grow(struct table *any)
{
	latch_take(any->latch, "grow");
	any->size *= 2; /* NORACE */
	latch_give(any->latch);
}

int main(void)
{
	pthread_t a, b;
	queue.latch = latch_new();
	table.latch = latch_new();
	pthread_create(&a, NULL, produce, NULL);
	pthread_create(&b, NULL, consume, NULL);
	table_grow(&table);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
