#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/fs.h>
#include <linux/slab.h>

struct ringdev {
	spinlock_t ring_lock;
	struct tasklet_struct task;
	unsigned int head, tail;
	u8 ring[256];
};

static void ringdev_task(unsigned long data)
{
	struct ringdev *rd = (struct ringdev *)data;

	spin_lock(&rd->ring_lock);
	while (rd->tail != rd->head)
		rd->tail = (rd->tail + 1) & 255;
	spin_unlock(&rd->ring_lock);
}

static ssize_t ringdev_write(struct file *f, const char __user *u, size_t n, loff_t *pos)
{
	struct ringdev *rd = f->private_data;
	u8 tmp[16];
	size_t i;

	if (n > sizeof(tmp))
		n = sizeof(tmp);
	if (copy_from_user(tmp, u, n))
		return -EFAULT;
	spin_lock_bh(&rd->ring_lock);
	for (i = 0; i < n; i++) {
		rd->ring[rd->head] = tmp[i];
		rd->head = (rd->head + 1) & 255;
	}
	spin_unlock_bh(&rd->ring_lock);
	tasklet_schedule(&rd->task);
	return n;
}

static int ringdev_open(struct inode *inode, struct file *f)
{
	struct ringdev *rd = kzalloc(sizeof(*rd), GFP_KERNEL);

	if (!rd)
		return -ENOMEM;
	spin_lock_init(&rd->ring_lock);
	tasklet_init(&rd->task, ringdev_task, (unsigned long)rd);
	f->private_data = rd;
	return 0;
}

static const struct file_operations ringdev_fops = {
	.open = ringdev_open,
	.write = ringdev_write,
};
