#include <linux/idr.h>
#include <linux/kref.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct ctx {
	struct kref ref;
	u32 id;
	u32 prio;
	spinlock_t lock;
	u32 jobs;
};

struct ctx_mgr {
	struct mutex lock;
	struct idr idr;
	u32 last_id;
};

static void ctx_release(struct kref *k)
{
	kfree(container_of(k, struct ctx, ref));
}

int ctx_alloc(struct ctx_mgr *mgr, u32 prio, u32 *id)
{
	struct ctx *c = kzalloc(sizeof(*c), GFP_KERNEL);
	int r;

	if (!c)
		return -ENOMEM;
	kref_init(&c->ref);
	spin_lock_init(&c->lock);
	c->prio = prio;
	mutex_lock(&mgr->lock);
	r = idr_alloc(&mgr->idr, c, 1, 0, GFP_KERNEL);
	if (r < 0) {
		mutex_unlock(&mgr->lock);
		kfree(c);
		return r;
	}
	c->id = r;
	mgr->last_id = r;
	*id = r;
	mutex_unlock(&mgr->lock);
	return 0;
}

struct ctx *ctx_get(struct ctx_mgr *mgr, u32 id)
{
	struct ctx *c;

	mutex_lock(&mgr->lock);
	c = idr_find(&mgr->idr, id);
	if (c)
		kref_get(&c->ref);
	mutex_unlock(&mgr->lock);
	return c;
}

void ctx_put(struct ctx *c)
{
	kref_put(&c->ref, ctx_release);
}

int ctx_submit(struct ctx_mgr *mgr, u32 id)
{
	struct ctx *c = ctx_get(mgr, id);

	if (!c)
		return -EINVAL;
	spin_lock(&c->lock);
	c->jobs++;
	spin_unlock(&c->lock);
	ctx_put(c);
	return 0;
}

int ctx_retire(struct ctx_mgr *mgr, u32 id)
{
	struct ctx *c = ctx_get(mgr, id);
	int left;

	if (!c)
		return -EINVAL;
	spin_lock(&c->lock);
	left = --c->jobs; // NORACE
	spin_unlock(&c->lock);
	ctx_put(c);
	return left;
}

int ctx_query(struct ctx_mgr *mgr, u32 id)
{
	struct ctx *c = ctx_get(mgr, id);
	int n = 0;

	if (c) {
		spin_lock(&c->lock);
		n = c->jobs;
		spin_unlock(&c->lock);
		ctx_put(c);
	}
	return n;
}
