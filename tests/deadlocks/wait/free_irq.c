/* free_irq waits for the handler to end; the handler waits for the lock that is held here. It may also sleep. */
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct modem { spinlock_t lock; int irq, received; };

static irqreturn_t modem_interrupt(int irq, void *data)
{
	struct modem *modem = data;
	spin_lock(&modem->lock); /* DEADLOCK@a */
	modem->received++;
	spin_unlock(&modem->lock);
	return IRQ_HANDLED;
}

int modem_open(struct modem *modem)
{
	return request_irq(modem->irq, modem_interrupt, 0, "modem", modem);
}

void modem_close(struct modem *modem)
{
	spin_lock_irq(&modem->lock);
	modem->received = 0;
	free_irq(modem->irq, modem); /* DEADLOCK@a */ /* SLEEP */
	spin_unlock_irq(&modem->lock);
}
