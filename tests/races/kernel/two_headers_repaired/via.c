/* Two drivers whose headers each have a `struct fifo`: two types, and no lock of one is meant for the other's. */
// racerx: --preset linux
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include "via.h"

static void via_put(struct fifo *fifo, int n) { fifo->bytes += n; /* NORACE */ }

static irqreturn_t via_interrupt(int irq, void *dev_id)
{
	struct via_card *card = dev_id;
	spin_lock(&card->lock);
	via_put(&card->fifo, 4);
	card->fifo.head++; /* NORACE */
	spin_unlock(&card->lock);
	return IRQ_HANDLED;
}

int via_send(struct via_card *card, int n)
{
	unsigned long flags;
	spin_lock_irqsave(&card->lock, flags);
	via_put(&card->fifo, -n);
	card->fifo.tail++; /* NORACE */
	spin_unlock_irqrestore(&card->lock, flags);
	return 0;
}

int via_open(struct via_card *card) { return request_irq(5, via_interrupt, 0, "via", card); }
