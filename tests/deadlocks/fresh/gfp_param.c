#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/module.h>

struct tag { int id; struct tag *next; };
struct pool {
	spinlock_t lock;
	struct tag *free;
	int total;
};

static struct tag *tag_alloc(gfp_t gfp)
{
	return kmalloc(sizeof(struct tag), gfp); /* TODO SLEEP: flags of an allocation that come through two helpers */
}

static int pool_grow(struct pool *p, int n, gfp_t gfp)
{
	while (n--) {
		struct tag *t = tag_alloc(gfp);

		if (!t)
			return -ENOMEM;
		t->id = p->total++;
		t->next = p->free;
		p->free = t;
	}
	return 0;
}

int pool_init(struct pool *p)
{
	spin_lock_init(&p->lock);
	p->free = NULL;
	p->total = 0;
	return pool_grow(p, 16, GFP_KERNEL);
}
EXPORT_SYMBOL(pool_init);

struct tag *pool_get(struct pool *p)
{
	struct tag *t;

	spin_lock(&p->lock);
	if (!p->free)
		pool_grow(p, 4, GFP_KERNEL);
	t = p->free;
	if (t)
		p->free = t->next;
	spin_unlock(&p->lock);
	return t;
}
EXPORT_SYMBOL(pool_get);
