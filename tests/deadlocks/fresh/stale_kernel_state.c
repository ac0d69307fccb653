#include <linux/mutex.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

struct vbuf { size_t len; char *data; };
struct vdev {
	struct mutex lock;
	struct vbuf *buf;
};

static ssize_t vdev_read(struct file *f, char __user *u, size_t n, loff_t *off)
{
	struct vdev *v = f->private_data;
	ssize_t ret = 0;

	mutex_lock(&v->lock);
	if (!v->buf) {
		mutex_unlock(&v->lock);
		return -ENODATA;
	}
	mutex_unlock(&v->lock);
	if (!access_ok(u, n))
		return -EFAULT;
	mutex_lock(&v->lock);
	ret = min(n, v->buf->len); /* STALE-CHECK */
	if (copy_to_user(u, v->buf->data, ret))
		ret = -EFAULT;
	mutex_unlock(&v->lock);
	return ret;
}

static int vdev_release_buf(struct vdev *v)
{
	struct vbuf *b;

	mutex_lock(&v->lock);
	b = v->buf;
	v->buf = NULL;
	mutex_unlock(&v->lock);
	if (b)
		kfree(b->data);
	kfree(b);
	return 0;
}

static long vdev_ioctl(struct file *f, unsigned int cmd, unsigned long arg)
{
	struct vdev *v = f->private_data;

	return cmd == 1 ? vdev_release_buf(v) : -ENOTTY;
}

static const struct file_operations vdev_fops = {
	.read = vdev_read,
	.unlocked_ioctl = vdev_ioctl,
};
