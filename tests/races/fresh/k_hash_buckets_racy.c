#include <linux/hash.h>
#include <linux/jhash.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#define FLOW_BITS 6

struct flow {
	struct hlist_node hnode;
	u32 key;
	u64 packets;
};

struct flow_bucket {
	spinlock_t lock;
	struct hlist_head head;
	unsigned int depth;
};

static struct flow_bucket flows[1 << FLOW_BITS];

static struct flow_bucket *flow_bucket(u32 key)
{
	return &flows[hash_32(key, FLOW_BITS)];
}

void flow_hit(u32 key)
{
	struct flow_bucket *b = flow_bucket(key);
	struct flow *f;

	spin_lock(&b->lock);
	hlist_for_each_entry(f, &b->head, hnode) {
		if (f->key == key) {
			f->packets++;
			goto unlock;
		}
	}
	f = kzalloc(sizeof(*f), GFP_ATOMIC);
	if (f) {
		f->key = key;
		f->packets = 1;
		hlist_add_head(&f->hnode, &b->head);
		b->depth++;
	}
unlock:
	spin_unlock(&b->lock);
}

unsigned int flow_depth(u32 key)
{
	struct flow_bucket *b = flow_bucket(key);
	unsigned int d;

	spin_lock(&b->lock);
	d = b->depth;
	spin_unlock(&b->lock);
	return d;
}

void flow_forget(u32 key)
{
	struct flow_bucket *b = flow_bucket(key);
	struct flow *f;

	hlist_for_each_entry(f, &b->head, hnode) {
		if (f->key == key) {
			hlist_del(&f->hnode);
			b->depth--; // RACE!
			kfree(f);
			break;
		}
	}
}

void flows_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(flows); i++) {
		spin_lock_init(&flows[i].lock);
		INIT_HLIST_HEAD(&flows[i].head);
	}
}
