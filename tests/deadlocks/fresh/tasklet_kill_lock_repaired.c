#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct dma {
	spinlock_t lock;
	struct tasklet_struct done;
	int running;
};

static void dma_done(unsigned long data)
{
	struct dma *d = (struct dma *)data;

	spin_lock(&d->lock);
	d->running = 0;
	spin_unlock(&d->lock);
}

void dma_stop(struct dma *d)
{
	spin_lock_bh(&d->lock);
	d->running = 0;
	spin_unlock_bh(&d->lock);
	tasklet_kill(&d->done);
}
EXPORT_SYMBOL(dma_stop);

void dma_setup(struct dma *d)
{
	spin_lock_init(&d->lock);
	tasklet_init(&d->done, dma_done, (unsigned long)d);
}
EXPORT_SYMBOL(dma_setup);
