#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/list.h>
#include <linux/module.h>

struct flow {
	struct list_head list;
	u32 key;
	u64 bytes;
};

static LIST_HEAD(flows);
static DEFINE_SPINLOCK(flows_lock);

static struct flow *flow_find(u32 key)
{
	struct flow *f;

	list_for_each_entry(f, &flows, list)
		if (f->key == key)
			return f;
	return NULL;
}

int flow_account(u32 key, u32 len)
{
	struct flow *f;
	int ret = 0;

	spin_lock(&flows_lock);
	f = flow_find(key);
	if (!f) {
		f = kzalloc(sizeof(*f), GFP_KERNEL); /* SLEEP */
		if (!f) {
			ret = -ENOMEM;
			goto out;
		}
		f->key = key;
		list_add(&f->list, &flows);
	}
	f->bytes += len;
out:
	spin_unlock(&flows_lock);
	return ret;
}
EXPORT_SYMBOL(flow_account);

void flow_flush(void)
{
	struct flow *f, *tmp;

	spin_lock(&flows_lock);
	list_for_each_entry_safe(f, tmp, &flows, list) {
		list_del(&f->list);
		kfree(f);
	}
	spin_unlock(&flows_lock);
}
EXPORT_SYMBOL(flow_flush);
MODULE_LICENSE("GPL");
