// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/miscdevice.h>

#define EE_SIZE 128

struct eeprom {
	struct mutex lock;
	struct miscdevice misc;
	u8 shadow[EE_SIZE];
	unsigned int writes;
};

static struct eeprom *ee;

static ssize_t ee_write(struct file *f, const char __user *ubuf,
			size_t len, loff_t *ppos)
{
	ssize_t ret;
	u8 *tmp;

	if (*ppos < 0 || *ppos >= EE_SIZE)
		return -EFBIG;
	len = min_t(size_t, len, EE_SIZE - *ppos);
	tmp = memdup_user(ubuf, len);
	if (IS_ERR(tmp))
		return PTR_ERR(tmp);

	ret = mutex_lock_interruptible(&ee->lock);
	if (ret)
		goto out_free;
	if (ee->writes >= 100000) {
		ret = -EROFS;
		goto out;
	}
	memcpy(ee->shadow + *ppos, tmp, len);
	ee->writes++;
	*ppos += len;
	ret = len;
out:
	mutex_unlock(&ee->lock);
out_free:
	kfree(tmp);
	return ret;
}

static ssize_t ee_read(struct file *f, char __user *ubuf, size_t len, loff_t *ppos)
{
	ssize_t ret;

	if (mutex_lock_interruptible(&ee->lock))
		return -ERESTARTSYS;
	ret = simple_read_from_buffer(ubuf, len, ppos, ee->shadow, EE_SIZE);
	mutex_unlock(&ee->lock);
	return ret;
}

static const struct file_operations ee_fops = {
	.owner	= THIS_MODULE,
	.read	= ee_read,
	.write	= ee_write,
};

static int __init ee_init(void)
{
	int ret;

	ee = kzalloc(sizeof(*ee), GFP_KERNEL);
	if (!ee)
		return -ENOMEM;
	mutex_init(&ee->lock);
	ee->misc.minor = MISC_DYNAMIC_MINOR;
	ee->misc.name = "soft-eeprom";
	ee->misc.fops = &ee_fops;
	ret = misc_register(&ee->misc);
	if (ret)
		kfree(ee);
	return ret;
}

static void __exit ee_exit(void)
{
	misc_deregister(&ee->misc);
	kfree(ee);
}

module_init(ee_init);
module_exit(ee_exit);
MODULE_LICENSE("GPL");
