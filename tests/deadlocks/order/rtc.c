/*
 * The slides' simplest example: registering takes rtc_lock, then rtc_task_lock; unregistering takes them the
 * other way round. Two threads, global locks, local error: it comes before the cycle of the queues below.
 */
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct rtc_task { void (*func)(void *data); void *data; };
struct rtc_queue { spinlock_t lock; struct rtc_stats *stats; int length; };
struct rtc_stats { spinlock_t lock; unsigned long total; };

static DEFINE_SPINLOCK(rtc_lock);
static DEFINE_SPINLOCK(rtc_task_lock);
static struct rtc_task *rtc_callback;
static unsigned long rtc_status;

int rtc_register(struct rtc_task *task)
{
	spin_lock_irq(&rtc_lock);
	if (rtc_status & 1) {
		spin_unlock_irq(&rtc_lock);
		return -EBUSY;
	}
	spin_lock(&rtc_task_lock); /* DEADLOCK@a #1 */
	if (rtc_callback) {
		spin_unlock(&rtc_task_lock);
		spin_unlock_irq(&rtc_lock);
		return -EBUSY;
	}
	rtc_status |= 1;
	rtc_callback = task;
	spin_unlock(&rtc_task_lock);
	spin_unlock_irq(&rtc_lock);
	return 0;
}

int rtc_unregister(struct rtc_task *task)
{
	spin_lock_irq(&rtc_task_lock);
	if (rtc_callback != task) {
		spin_unlock_irq(&rtc_task_lock);
		return -ENXIO;
	}
	rtc_callback = NULL;
	spin_lock(&rtc_lock); /* DEADLOCK@a */
	rtc_status &= ~1ul;
	spin_unlock(&rtc_lock);
	spin_unlock_irq(&rtc_task_lock);
	return 0;
}

static void count_one(struct rtc_queue *queue)
{
	spin_lock(&queue->stats->lock); /* DEADLOCK@b */
	queue->stats->total++;
	spin_unlock(&queue->stats->lock);
}

static void count_if_long(struct rtc_queue *queue)
{
	if (queue->length > 8)
		count_one(queue);
}

void rtc_queue_add(struct rtc_queue *queue)
{
	spin_lock(&queue->lock);
	if (++queue->length > 1)
		count_if_long(queue);
	spin_unlock(&queue->lock);
}

void rtc_queue_clear(struct rtc_stats *stats, struct rtc_queue *queue)
{
	spin_lock(&stats->lock);
	if (queue && queue->stats == stats) {
		spin_lock(&queue->lock); /* DEADLOCK@b */
		queue->length = 0;
		spin_unlock(&queue->lock);
	}
	spin_unlock(&stats->lock);
}
