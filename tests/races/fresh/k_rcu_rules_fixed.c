// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/uaccess.h>

#define FW_ADD	_IOW('w', 1, struct fw_req)
#define FW_DEL	_IOW('w', 2, struct fw_req)
#define FW_TEST	_IOW('w', 3, struct fw_req)

struct fw_req {
	u32 addr;
	u32 verdict;
};

struct fw_rule {
	struct list_head node;
	u32 addr;
	u32 verdict;
	struct rcu_head rcu;
};

static LIST_HEAD(fw_rules);
static DEFINE_SPINLOCK(fw_rules_lock);

static int fw_add(const struct fw_req *rq)
{
	struct fw_rule *r = kmalloc(sizeof(*r), GFP_KERNEL);

	if (!r)
		return -ENOMEM;
	r->addr = rq->addr;
	r->verdict = rq->verdict;
	spin_lock(&fw_rules_lock);
	list_add_tail_rcu(&r->node, &fw_rules); // NORACE
	spin_unlock(&fw_rules_lock);
	return 0;
}

static int fw_del(u32 addr)
{
	struct fw_rule *r;

	spin_lock(&fw_rules_lock);
	list_for_each_entry(r, &fw_rules, node) {
		if (r->addr == addr) {
			list_del_rcu(&r->node);
			spin_unlock(&fw_rules_lock);
			kfree_rcu(r, rcu);
			return 0;
		}
	}
	spin_unlock(&fw_rules_lock);
	return -ENOENT;
}

static int fw_test(u32 addr)
{
	struct fw_rule *r;
	int verdict = 0;

	rcu_read_lock();
	list_for_each_entry_rcu(r, &fw_rules, node) {
		if (r->addr == addr) {
			verdict = r->verdict;
			break;
		}
	}
	rcu_read_unlock();
	return verdict;
}

static long fw_ioctl(struct file *f, unsigned int cmd, unsigned long arg)
{
	struct fw_req rq;

	if (copy_from_user(&rq, (void __user *)arg, sizeof(rq)))
		return -EFAULT;
	switch (cmd) {
	case FW_ADD:
		return fw_add(&rq);
	case FW_DEL:
		return fw_del(rq.addr);
	case FW_TEST:
		return fw_test(rq.addr);
	}
	return -ENOTTY;
}

static const struct file_operations fw_fops = {
	.owner		= THIS_MODULE,
	.unlocked_ioctl	= fw_ioctl,
};

static struct miscdevice fw_misc = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "minifw",
	.fops	= &fw_fops,
};
module_misc_device(fw_misc);
MODULE_LICENSE("GPL");
