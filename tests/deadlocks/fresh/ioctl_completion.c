#include <linux/completion.h>
#include <linux/mutex.h>
#include <linux/usb.h>
#include <linux/fs.h>

struct gadget {
	struct mutex mutex;
	struct completion idle;
	int open, gone;
};

static void gadget_put(struct gadget *g)
{
	mutex_lock(&g->mutex);
	if (--g->open == 0)
		complete(&g->idle);
	mutex_unlock(&g->mutex);
}

static int gadget_release(struct inode *inode, struct file *f)
{
	gadget_put(f->private_data);
	return 0;
}

static const struct file_operations gadget_fops = {
	.release = gadget_release,
};

void gadget_disconnect(struct gadget *g)
{
	mutex_lock(&g->mutex);
	g->gone = 1;
	if (g->open)
		wait_for_completion(&g->idle); /* DEADLOCK */
	mutex_unlock(&g->mutex);
}
EXPORT_SYMBOL(gadget_disconnect);
