/* kthread_stop waits for the thread to end; it may just be waiting for the mutex. */
#include <linux/kthread.h>
#include <linux/mutex.h>

struct pump { struct mutex lock; struct task_struct *thread; int level; };

static int pump_thread(void *data)
{
	struct pump *pump = data;
	while (!kthread_should_stop()) {
		mutex_lock(&pump->lock); /* DEADLOCK@a */
		pump->level--;
		mutex_unlock(&pump->lock);
	}
	return 0;
}

int pump_start(struct pump *pump)
{
	mutex_init(&pump->lock);
	pump->thread = kthread_run(pump_thread, pump, "pump");
	return pump->thread ? 0 : -ENOMEM;
}

void pump_stop(struct pump *pump)
{
	mutex_lock(&pump->lock);
	kthread_stop(pump->thread); /* DEADLOCK@a */
	pump->level = 0;
	mutex_unlock(&pump->lock);
}
