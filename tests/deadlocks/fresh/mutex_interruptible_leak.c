#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>
#include <linux/slab.h>

struct sensor {
	struct mutex lock;
	char *cal;
	size_t cal_len;
	int gain;
};

static ssize_t sensor_write(struct file *f, const char __user *u, size_t n, loff_t *off)
{
	struct sensor *s = f->private_data;
	char *p;
	int err;

	if (n > 4096)
		return -E2BIG;
	err = mutex_lock_interruptible(&s->lock);
	if (err)
		return err;
	p = memdup_user(u, n);
	if (IS_ERR(p)) {
		return PTR_ERR(p); /* LEAK */
	}
	kfree(s->cal);
	s->cal = p;
	s->cal_len = n;
	mutex_unlock(&s->lock);
	return n;
}

static ssize_t sensor_read(struct file *f, char __user *u, size_t n, loff_t *off)
{
	struct sensor *s = f->private_data;
	ssize_t ret;

	if (mutex_lock_interruptible(&s->lock))
		return -ERESTARTSYS;
	ret = simple_read_from_buffer(u, n, off, s->cal, s->cal_len);
	mutex_unlock(&s->lock);
	return ret;
}

static const struct file_operations sensor_fops = {
	.read = sensor_read,
	.write = sensor_write,
};
