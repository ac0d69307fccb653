#include <linux/dmaengine.h>
#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/platform_device.h>
#include <linux/spinlock.h>

struct toy_desc { struct list_head node; u32 len; };

struct toy_chan {
	spinlock_t lock;
	struct list_head queued;
	struct toy_desc *active;
	u32 completed;
	bool paused;
};

static irqreturn_t toy_dma_irq(int irq, void *arg)
{
	struct toy_chan *c = arg;

	spin_lock(&c->lock);
	if (c->active) {
		c->completed++;
		c->active = NULL;
	}
	if (!c->paused && !list_empty(&c->queued)) {
		c->active = list_first_entry(&c->queued, struct toy_desc, node);
		list_del(&c->active->node);
	}
	spin_unlock(&c->lock);
	return IRQ_HANDLED;
}

void toy_dma_submit(struct toy_chan *c, struct toy_desc *d)
{
	unsigned long flags;

	spin_lock_irqsave(&c->lock, flags);
	list_add_tail(&d->node, &c->queued);
	spin_unlock_irqrestore(&c->lock, flags);
}
EXPORT_SYMBOL(toy_dma_submit);

void toy_dma_pause(struct toy_chan *c, bool on)
{
	unsigned long flags;

	spin_lock_irqsave(&c->lock, flags);
	c->paused = on;
	spin_unlock_irqrestore(&c->lock, flags);
}
EXPORT_SYMBOL(toy_dma_pause);

void toy_dma_abort(struct toy_chan *c)
{
	c->active = NULL; // RACE!
	c->completed = 0; // RACE!
}
EXPORT_SYMBOL(toy_dma_abort);

int toy_dma_setup(struct platform_device *pdev, struct toy_chan *c)
{
	spin_lock_init(&c->lock);
	INIT_LIST_HEAD(&c->queued);
	return devm_request_irq(&pdev->dev, platform_get_irq(pdev, 0), toy_dma_irq, 0, "toy-dma", c);
}
