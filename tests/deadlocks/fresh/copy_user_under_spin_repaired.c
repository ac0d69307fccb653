#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>

struct stats { u32 rx, tx, err; };

static DEFINE_SPINLOCK(stats_lock);
static struct stats stats;

void stats_rx(u32 n)
{
	spin_lock(&stats_lock);
	stats.rx += n;
	spin_unlock(&stats_lock);
}
EXPORT_SYMBOL(stats_rx);

static long stats_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *to = (void __user *)arg;
	struct stats copy;
	long ret = 0;

	switch (cmd) {
	case 1:
		spin_lock(&stats_lock);
		copy = stats;
		spin_unlock(&stats_lock);
		if (copy_to_user(to, &copy, sizeof(copy)))
			ret = -EFAULT;
		break;
	case 2:
		spin_lock(&stats_lock);
		memset(&stats, 0, sizeof(stats));
		spin_unlock(&stats_lock);
		break;
	default:
		ret = -ENOTTY;
	}
	return ret;
}

static const struct file_operations stats_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = stats_ioctl,
};

static struct miscdevice stats_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "stats",
	.fops = &stats_fops,
};
module_misc_device(stats_misc);
