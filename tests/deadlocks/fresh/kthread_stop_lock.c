#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/delay.h>
#include <linux/err.h>

struct collector {
	struct mutex lock;
	struct task_struct *task;
	unsigned long samples;
};

static int collect(void *data)
{
	struct collector *c = data;

	while (!kthread_should_stop()) {
		mutex_lock(&c->lock);
		c->samples++;
		mutex_unlock(&c->lock);
		msleep(20);
	}
	return 0;
}

int collector_start(struct collector *c)
{
	int ret = 0;

	mutex_lock(&c->lock);
	c->task = kthread_run(collect, c, "collect");
	if (IS_ERR(c->task)) {
		ret = PTR_ERR(c->task);
		c->task = NULL;
	}
	mutex_unlock(&c->lock);
	return ret;
}
EXPORT_SYMBOL(collector_start);

void collector_stop(struct collector *c)
{
	mutex_lock(&c->lock);
	if (c->task) {
		kthread_stop(c->task); /* DEADLOCK */
		c->task = NULL;
	}
	mutex_unlock(&c->lock);
}
EXPORT_SYMBOL(collector_stop);
