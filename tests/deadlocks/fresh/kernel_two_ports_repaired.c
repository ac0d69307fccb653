#include <linux/mutex.h>
#include <linux/list.h>
#include <linux/fs.h>
#include <linux/slab.h>

struct port { struct mutex lock; int id; struct list_head node; unsigned long bytes; };
static LIST_HEAD(ports);

static struct port *port_get(int id)
{
	struct port *port;

	list_for_each_entry(port, &ports, node)
		if (port->id == id)
			return port;
	return NULL;
}

static long port_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct port *src = port_get(cmd & 0xff);
	struct port *dst = port_get(arg & 0xff);

	if (!src || !dst || src == dst)
		return -EINVAL;
	mutex_lock(src->id < dst->id ? &src->lock : &dst->lock);
	mutex_lock_nested(src->id < dst->id ? &dst->lock : &src->lock, 1);
	dst->bytes += src->bytes;
	src->bytes = 0;
	mutex_unlock(&dst->lock);
	mutex_unlock(&src->lock);
	return 0;
}

static const struct file_operations port_fops = {
	.unlocked_ioctl = port_ioctl,
};

int port_register(void)
{
	return register_chrdev(240, "port", &port_fops);
}
EXPORT_SYMBOL(port_register);
