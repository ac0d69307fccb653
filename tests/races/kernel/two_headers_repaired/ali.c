/* Two drivers whose headers each have a `struct fifo`: two types, and no lock of one is meant for the other's. */
// racerx: --preset linux
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include "ali.h"

static void ali_put(struct fifo *fifo, int n) { fifo->bytes += n; /* NORACE */ }

static irqreturn_t ali_interrupt(int irq, void *dev_id)
{
	struct ali_card *card = dev_id;
	spin_lock(&card->lock);
	ali_put(&card->fifo, 4);
	card->fifo.head++; /* NORACE */
	spin_unlock(&card->lock);
	return IRQ_HANDLED;
}

int ali_send(struct ali_card *card, int n)
{
	unsigned long flags;
	spin_lock_irqsave(&card->lock, flags);
	ali_put(&card->fifo, -n);
	card->fifo.tail++; /* NORACE */
	spin_unlock_irqrestore(&card->lock, flags);
	return 0;
}

int ali_open(struct ali_card *card) { return request_irq(5, ali_interrupt, 0, "ali", card); }
