#include <linux/completion.h>
#include <linux/spinlock.h>
#include <linux/spi/spi.h>

struct xfer {
	struct completion done;
	spinlock_t lock;
	int len, actual;
	bool busy;
};

static void start_dma(struct xfer *x)
{
	x->actual = 0;
}

static irqreturn_t dma_done(int irq, void *p)
{
	struct xfer *x = p;

	x->actual = x->len;
	complete(&x->done);
	return IRQ_HANDLED;
}

int xfer_run(struct xfer *x, int len)
{
	unsigned long left;

	spin_lock(&x->lock);
	if (x->busy) {
		spin_unlock(&x->lock);
		return -EBUSY;
	}
	x->busy = true;
	x->len = len;
	reinit_completion(&x->done);
	start_dma(x);
	left = wait_for_completion_timeout(&x->done, HZ); /* SLEEP */
	x->busy = false;
	spin_unlock(&x->lock);
	return left ? x->actual : -ETIMEDOUT;
}
EXPORT_SYMBOL(xfer_run);

int xfer_setup(struct xfer *x, int irq)
{
	init_completion(&x->done);
	spin_lock_init(&x->lock);
	return request_irq(irq, dma_done, 0, "xfer", x);
}
EXPORT_SYMBOL(xfer_setup);
