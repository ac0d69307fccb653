#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/usb.h>

struct req {
	struct list_head node;
	int status;
};

struct udc {
	spinlock_t lock;
	struct list_head queue;
	int irq;
	int done;
};

static void udc_complete(struct udc *u, struct req *r, int status)
{
	list_del_init(&r->node);
	r->status = status;
	u->done++;
}

static void udc_nuke(struct udc *u, int status)
{
	struct req *r, *n;

	list_for_each_entry_safe(r, n, &u->queue, node)
		udc_complete(u, r, status);
}

static void handle_reset(struct udc *u)
{
	spin_lock(&u->lock);
	udc_nuke(u, -ESHUTDOWN);
	spin_unlock(&u->lock);
}

static void handle_events(struct udc *u)
{
	handle_reset(u);
}

static irqreturn_t udc_interrupt(int irq, void *dev_id)
{
	handle_events(dev_id);
	return IRQ_HANDLED;
}

static int udc_enqueue(struct udc *u, struct req *r)
{
	spin_lock_irq(&u->lock);
	list_add_tail(&r->node, &u->queue);
	spin_unlock_irq(&u->lock);
	return 0;
}

static long udc_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct req *r = kzalloc(sizeof(*r), GFP_KERNEL);

	if (!r)
		return -ENOMEM;
	return udc_enqueue(file->private_data, r);
}

static const struct file_operations udc_fops = {
	.unlocked_ioctl = udc_ioctl,
};

int udc_attach(struct udc *u)
{
	spin_lock_init(&u->lock);
	INIT_LIST_HEAD(&u->queue);
	return request_irq(u->irq, udc_interrupt, IRQF_SHARED, "udc", u);
}
