#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

struct batch {
	spinlock_t lock;
	struct list_head items;
	int count;
	bool flushing;
	struct work_struct work;
};

struct item {
	struct list_head link;
	int payload;
};

static struct batch batch;

static void batch_work(struct work_struct *w)
{
	struct batch *b = container_of(w, struct batch, work);
	struct item *it, *n;
	LIST_HEAD(todo);

	spin_lock_bh(&b->lock);
	list_splice_init(&b->items, &todo);
	b->count = 0;
	b->flushing = false;
	spin_unlock_bh(&b->lock);

	list_for_each_entry_safe(it, n, &todo, link) {
		list_del(&it->link);
		kfree(it);
	}
}

int batch_queue(int payload)
{
	struct batch *b = &batch;
	struct item *it = kmalloc(sizeof(*it), GFP_ATOMIC);

	if (!it)
		return -ENOMEM;
	it->payload = payload;
	list_add_tail(&it->link, &b->items);
	if (++b->count > 32 && !b->flushing) { // RACE!
		b->flushing = true;
		schedule_work(&b->work);
	}
	return 0;
}
EXPORT_SYMBOL(batch_queue);

int batch_pending(void)
{
	int n;

	spin_lock_bh(&batch.lock);
	n = batch.count;
	spin_unlock_bh(&batch.lock);
	return n;
}
EXPORT_SYMBOL(batch_pending);

static int __init batch_init(void)
{
	spin_lock_init(&batch.lock);
	INIT_LIST_HEAD(&batch.items);
	INIT_WORK(&batch.work, batch_work);
	return 0;
}

static void __exit batch_exit(void)
{
	cancel_work_sync(&batch.work);
}
module_init(batch_init);
module_exit(batch_exit);
