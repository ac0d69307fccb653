/* RCU: readers take no lock that excludes, writers replace the object and take one among themselves. */
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct route { int metric; int gateway; };
static DEFINE_SPINLOCK(route_lock);
static struct route __rcu *route;
static int replacements;

int route_metric(void)
{
	struct route *seen;
	int metric = 0;
	rcu_read_lock();
	seen = rcu_dereference(route); /* NORACE */
	if (seen)
		metric = seen->metric; /* NORACE */
	rcu_read_unlock();
	return metric;
}

int route_replace(int metric)
{
	struct route *old, *fresh = kmalloc(sizeof(*fresh), GFP_KERNEL);
	if (!fresh)
		return -ENOMEM;
	fresh->metric = metric; /* NORACE */
	fresh->gateway = 0; /* NORACE */
	spin_lock(&route_lock);
	old = rcu_dereference_protected(route, 1); /* NORACE */
	rcu_assign_pointer(route, fresh); /* NORACE */
	replacements++; /* NORACE */
	spin_unlock(&route_lock);
	synchronize_rcu();
	kfree(old); /* NORACE */
	return 0;
}
