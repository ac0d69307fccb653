// SPDX-License-Identifier: GPL-2.0
/* Audio capture: stream list and hardware have their own mutexes. */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/uaccess.h>

#define CAP_SET_RATE	_IO('c', 1)

struct stream {
	struct list_head node;
	unsigned int rate;
};

static LIST_HEAD(streams);
static DEFINE_MUTEX(streams_mutex);
static DEFINE_MUTEX(hw_mutex);
static unsigned int hw_rate;

/* caller holds streams_mutex */
static unsigned int cap_max_rate(void)
{
	struct stream *s;
	unsigned int best = 8000;

	list_for_each_entry(s, &streams, node)
		if (s->rate > best)
			best = s->rate;
	return best;
}

static int cap_open(struct inode *ino, struct file *f)
{
	struct stream *s = kzalloc(sizeof(*s), GFP_KERNEL);

	if (!s)
		return -ENOMEM;
	s->rate = 8000;
	f->private_data = s;
	mutex_lock(&streams_mutex);
	list_add(&s->node, &streams);
	mutex_unlock(&streams_mutex);
	return 0;
}

static int cap_release(struct inode *ino, struct file *f)
{
	struct stream *s = f->private_data;

	mutex_lock(&streams_mutex);
	list_del(&s->node);
	mutex_lock(&hw_mutex);
	hw_rate = cap_max_rate();
	mutex_unlock(&hw_mutex);
	mutex_unlock(&streams_mutex);
	kfree(s);
	return 0;
}

static long cap_ioctl(struct file *f, unsigned int cmd, unsigned long arg)
{
	struct stream *s = f->private_data;

	if (cmd != CAP_SET_RATE)
		return -ENOTTY;
	if (arg < 8000 || arg > 192000)
		return -EINVAL;
	mutex_lock(&streams_mutex);
	mutex_lock(&hw_mutex);
	s->rate = arg;
	if (s->rate > hw_rate)
		hw_rate = s->rate;
	mutex_unlock(&hw_mutex);
	mutex_unlock(&streams_mutex);
	return 0;
}

static const struct file_operations cap_fops = {
	.owner = THIS_MODULE,
	.open = cap_open,
	.release = cap_release,
	.unlocked_ioctl = cap_ioctl,
};

static struct miscdevice cap_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "capture",
	.fops = &cap_fops,
};
module_misc_device(cap_misc);
MODULE_LICENSE("GPL");
