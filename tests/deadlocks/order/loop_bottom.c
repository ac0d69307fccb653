/* The loop unlocks at its top and locks at its bottom; at the bottom a second lock is taken against the order. */
#include <linux/spinlock.h>

struct task { struct task *next; int state; };
static DEFINE_SPINLOCK(queue_lock);
static DEFINE_SPINLOCK(timer_lock);
static struct task *queue;
static int ticks;
void task_run(struct task *task);

void queue_run(void)
{
	struct task *task;
	spin_lock(&queue_lock);
	while ((task = queue) != NULL) {
		queue = task->next;
		spin_unlock(&queue_lock);
		task_run(task);
		spin_lock(&queue_lock); /* NODOUBLE-LOCK */
		spin_lock(&timer_lock); /* DEADLOCK@a */
		ticks++;
		spin_unlock(&timer_lock);
	}
	spin_unlock(&queue_lock); /* NOUNHELD */
}

void timer_tick(struct task *task)
{
	spin_lock(&timer_lock);
	ticks = 0;
	spin_lock(&queue_lock); /* DEADLOCK@a */
	task->next = queue;
	queue = task;
	spin_unlock(&queue_lock);
	spin_unlock(&timer_lock);
}
