/* The lock is let go before the wait; another one, which the handler does not take, may be held. */
#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

struct modem { spinlock_t lock; struct mutex open_lock; int irq, received; };

static irqreturn_t modem_interrupt(int irq, void *data)
{
	struct modem *modem = data;
	spin_lock(&modem->lock);
	modem->received++;
	spin_unlock(&modem->lock);
	return IRQ_HANDLED;
}

int modem_open(struct modem *modem)
{
	int error;
	mutex_lock(&modem->open_lock);
	error = request_irq(modem->irq, modem_interrupt, 0, "modem", modem);
	mutex_unlock(&modem->open_lock);
	return error;
}

void modem_close(struct modem *modem)
{
	mutex_lock(&modem->open_lock);
	spin_lock_irq(&modem->lock);
	modem->received = 0;
	spin_unlock_irq(&modem->lock);
	free_irq(modem->irq, modem); /* NODEADLOCK */ /* NOSLEEP */
	mutex_unlock(&modem->open_lock);
}
