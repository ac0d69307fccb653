/* Loops that unlock at the top and lock at the bottom, in three shapes; the second lock only in the gap. */
#include <linux/spinlock.h>

struct task { struct task *next; int state; };
static DEFINE_SPINLOCK(queue_lock);
static DEFINE_SPINLOCK(timer_lock);
static struct task *queue;
static int ticks;

void queue_run(void)
{
	struct task *task;
	spin_lock(&queue_lock);
	while ((task = queue) != NULL) {
		queue = task->next;
		spin_unlock(&queue_lock);
		spin_lock(&timer_lock); /* NODEADLOCK */
		ticks++;
		spin_unlock(&timer_lock);
		spin_lock(&queue_lock);
	}
	spin_unlock(&queue_lock);
}

int queue_wait(int limit)
{
	int tries = 0;
	spin_lock(&queue_lock);
	for (;;) {
		if (queue)
			break;
		if (++tries > limit) {
			spin_unlock(&queue_lock);
			return -1;
		}
		spin_unlock(&queue_lock);
		cpu_relax();
		spin_lock(&queue_lock);
	}
	queue->state = tries;
	spin_unlock(&queue_lock);
	return 0;
}

void timer_tick(struct task *task)
{
	spin_lock(&timer_lock);
	spin_lock(&queue_lock); /* NODEADLOCK */
	do {
		task->state = ticks++;
		queue = task;
		spin_unlock(&queue_lock);
		spin_lock(&queue_lock);
	} while ((task = task->next));
	spin_unlock(&queue_lock);
	spin_unlock(&timer_lock);
}
