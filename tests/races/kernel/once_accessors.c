// racerx-verdict: shown
// racerx: --preset linux
/* Both sides say that they mean to race: harmless. With a plain write on one side it is not. */
#include <linux/compiler.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/slab.h>

struct pump { int running; int pressure; };

static irqreturn_t pump_interrupt(int irq, void *dev_id)
{
	struct pump *pump = dev_id;
	WRITE_ONCE(pump->running, 1); /* NORACE */
	pump->pressure++; /* RACE */
	return IRQ_HANDLED;
}

static long pump_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct pump *pump = file->private_data;
	pump->pressure = 0; /* RACE */
	return READ_ONCE(pump->running); /* NORACE */
}

static const struct file_operations pump_fops = { .unlocked_ioctl = pump_ioctl };

int pump_setup(struct pump *pump)
{
	return request_irq(9, pump_interrupt, 0, "pump", pump);
}
