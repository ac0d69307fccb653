#include <linux/workqueue.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/module.h>

struct poller {
	struct mutex lock;
	struct delayed_work work;
	int value;
	bool stop;
};

static void poll_work(struct work_struct *w)
{
	struct poller *p = container_of(w, struct poller, work.work);

	mutex_lock(&p->lock);
	p->value++;
	if (!p->stop)
		schedule_delayed_work(&p->work, HZ);
	mutex_unlock(&p->lock);
}

struct poller *poller_new(void)
{
	struct poller *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return NULL;
	mutex_init(&p->lock);
	INIT_DELAYED_WORK(&p->work, poll_work);
	schedule_delayed_work(&p->work, HZ);
	return p;
}
EXPORT_SYMBOL(poller_new);

static void poller_cancel(struct poller *p)
{
	cancel_delayed_work_sync(&p->work);
}

void poller_stop(struct poller *p)
{
	mutex_lock(&p->lock);
	p->stop = true;
	mutex_unlock(&p->lock);
	poller_cancel(p);
}
EXPORT_SYMBOL(poller_stop);
