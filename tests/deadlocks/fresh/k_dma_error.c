// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/io.h>
#include <linux/errno.h>

#define XDMA_MAX_SEGS 16

struct xdma_desc {
	struct list_head node;
	u32 nsegs;
	u32 cookie;
};

struct xdma_chan {
	void __iomem *regs;
	spinlock_t lock;
	struct list_head pending;
	struct list_head active;
	u32 next_cookie;
	bool halted;
};

static void xdma_kick(struct xdma_chan *xc, struct xdma_desc *d)
{
	writel(d->nsegs, xc->regs + 0x08);
	writel(1, xc->regs);
}

int xdma_submit(struct xdma_chan *xc, struct xdma_desc *d)
{
	unsigned long flags;

	if (!d->nsegs)
		return -EINVAL;
	spin_lock_irqsave(&xc->lock, flags);
	if (xc->halted) {
		spin_unlock_irqrestore(&xc->lock, flags);
		return -EIO;
	}
	if (d->nsegs > XDMA_MAX_SEGS)
		return -E2BIG; // LEAK!
	d->cookie = ++xc->next_cookie;
	if (list_empty(&xc->active)) {
		list_add_tail(&d->node, &xc->active);
		xdma_kick(xc, d);
	} else {
		list_add_tail(&d->node, &xc->pending);
	}
	spin_unlock_irqrestore(&xc->lock, flags);
	return 0;
}
EXPORT_SYMBOL_GPL(xdma_submit);

void xdma_complete(struct xdma_chan *xc)
{
	struct xdma_desc *d, *next;
	unsigned long flags;

	spin_lock_irqsave(&xc->lock, flags);
	list_for_each_entry_safe(d, next, &xc->active, node) {
		list_del(&d->node);
		kfree(d);
	}
	if (!list_empty(&xc->pending)) {
		d = list_first_entry(&xc->pending, struct xdma_desc, node);
		list_move_tail(&d->node, &xc->active);
		xdma_kick(xc, d);
	}
	spin_unlock_irqrestore(&xc->lock, flags);
}
EXPORT_SYMBOL_GPL(xdma_complete);
MODULE_LICENSE("GPL");
