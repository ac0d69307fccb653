// racerx: --engine summaries
/* What a helper does to what it is given belongs to its caller, under the caller's locks: no belief is asked. */
#include <linux/kthread.h>
#include <linux/spinlock.h>

struct item { struct item *next; };
struct queue { spinlock_t lock; struct item pending, done; int length; };
static struct queue queue;

static void push(struct item *item, struct item *head)
{
	item->next = head->next;
	head->next = item;
}
static void grow(int *length) { *length += 1; }

static int producer(void *data)
{
	static struct item item, other;
	spin_lock(&queue.lock);
	push(&item, &queue.pending); /* NORACE */
	spin_unlock(&queue.lock);
	push(&other, &queue.done); /* RACE */
	grow(&queue.length);
	return 0;
}
static int consumer(void *data)
{
	spin_lock(&queue.lock);
	queue.pending.next = 0; /* NORACE */
	queue.done.next = 0; /* RACE */
	spin_unlock(&queue.lock);
	return 0;
}
int start(void)
{
	kthread_run(producer, 0, "producer");
	kthread_run(consumer, 0, "consumer");
	return 0;
}
