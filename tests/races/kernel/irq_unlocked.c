// racerx-verdict: shown
// racerx: --preset linux
/* An interrupt handler and an ioctl write one field, and neither takes a lock. */
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/slab.h>

struct modem { int irq; int line_status; int baud; };

static irqreturn_t modem_interrupt(int irq, void *dev_id)
{
	struct modem *modem = dev_id;
	modem->line_status |= 1; /* RACE */
	return IRQ_HANDLED;
}

static long modem_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct modem *modem = file->private_data;
	modem->line_status &= ~1; /* RACE */
	return modem->baud; /* NORACE */
}

static const struct file_operations modem_fops = { .unlocked_ioctl = modem_ioctl };

int modem_probe(int irq)
{
	struct modem *modem = kzalloc(sizeof(*modem), GFP_KERNEL);
	if (!modem)
		return -ENOMEM;
	modem->irq = irq; /* NORACE */
	modem->baud = 9600; /* NORACE */
	modem->line_status = 0; /* NORACE */
	return request_irq(irq, modem_interrupt, 0, "modem", modem);
}
