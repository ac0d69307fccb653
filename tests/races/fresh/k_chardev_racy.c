#include <linux/module.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/miscdevice.h>

#define SCRATCH_SIZE 4096

struct scratch_dev {
	struct mutex lock;
	char *buf;
	size_t len;
	unsigned int generation;
	struct miscdevice misc;
};

static struct scratch_dev *scratch;

static ssize_t scratch_read(struct file *filp, char __user *ubuf, size_t count, loff_t *ppos)
{
	struct scratch_dev *dev = filp->private_data;
	ssize_t ret;

	mutex_lock(&dev->lock);
	ret = simple_read_from_buffer(ubuf, count, ppos, dev->buf, dev->len);
	mutex_unlock(&dev->lock);
	return ret;
}

static ssize_t scratch_write(struct file *filp, const char __user *ubuf, size_t count, loff_t *ppos)
{
	struct scratch_dev *dev = filp->private_data;

	if (count > SCRATCH_SIZE)
		return -EINVAL;
	mutex_lock(&dev->lock);
	if (copy_from_user(dev->buf, ubuf, count)) {
		mutex_unlock(&dev->lock);
		return -EFAULT;
	}
	dev->len = count;
	dev->generation++;
	mutex_unlock(&dev->lock);
	return count;
}

static long scratch_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct scratch_dev *dev = filp->private_data;

	switch (cmd) {
	case 1:
		dev->len = 0; // RACE!
		dev->generation++;
		return 0;
	default:
		return -ENOTTY;
	}
}

static int scratch_open(struct inode *inode, struct file *filp)
{
	filp->private_data = scratch;
	return 0;
}

static const struct file_operations scratch_fops = {
	.owner = THIS_MODULE,
	.open = scratch_open,
	.read = scratch_read,
	.write = scratch_write,
	.unlocked_ioctl = scratch_ioctl,
};

static int __init scratch_init(void)
{
	scratch = kzalloc(sizeof(*scratch), GFP_KERNEL);
	if (!scratch)
		return -ENOMEM;
	scratch->buf = kmalloc(SCRATCH_SIZE, GFP_KERNEL);
	mutex_init(&scratch->lock);
	scratch->misc.minor = MISC_DYNAMIC_MINOR;
	scratch->misc.name = "scratch";
	scratch->misc.fops = &scratch_fops;
	return misc_register(&scratch->misc);
}

static void __exit scratch_exit(void)
{
	misc_deregister(&scratch->misc);
	kfree(scratch->buf);
	kfree(scratch);
}

module_init(scratch_init);
module_exit(scratch_exit);
MODULE_LICENSE("GPL");
