#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/slab.h>

struct rule {
	struct list_head node;
	struct rcu_head rcu;
	u32 src;
	int verdict;
};

static LIST_HEAD(rules);
static DEFINE_MUTEX(rules_mutex);
static int nrules;

int rule_check(u32 src)
{
	struct rule *r;
	int verdict = 0;

	rcu_read_lock();
	list_for_each_entry_rcu(r, &rules, node) {
		if (r->src == src) {
			verdict = r->verdict;
			break;
		}
	}
	rcu_read_unlock();
	return verdict;
}
EXPORT_SYMBOL_GPL(rule_check);

int rule_add(u32 src, int verdict)
{
	struct rule *r = kmalloc(sizeof(*r), GFP_KERNEL);

	if (!r)
		return -ENOMEM;
	r->src = src;
	r->verdict = verdict;
	mutex_lock(&rules_mutex);
	list_add_tail_rcu(&r->node, &rules);
	nrules++;
	mutex_unlock(&rules_mutex);
	return 0;
}
EXPORT_SYMBOL_GPL(rule_add);

int rule_del(u32 src)
{
	struct rule *r;
	int ret = -ENOENT;

	list_for_each_entry(r, &rules, node) {
		if (r->src == src) {
			list_del_rcu(&r->node);
			nrules--; // RACE!
			kfree_rcu(r, rcu);
			ret = 0;
			break;
		}
	}
	return ret;
}
EXPORT_SYMBOL_GPL(rule_del);

void rule_flush(void)
{
	struct rule *r, *tmp;

	mutex_lock(&rules_mutex);
	list_for_each_entry_safe(r, tmp, &rules, node) {
		list_del_rcu(&r->node);
		nrules--;
		kfree_rcu(r, rcu);
	}
	mutex_unlock(&rules_mutex);
}
EXPORT_SYMBOL_GPL(rule_flush);
