// racerx-verdict: shown
// racerx: --preset linux
/* set_bit is atomic; a plain |= on the same word loses its bits. */
#include <linux/bitops.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/slab.h>

struct tape { unsigned long flags; unsigned long state; };

static irqreturn_t tape_interrupt(int irq, void *dev_id)
{
	struct tape *tape = dev_id;
	set_bit(1, &tape->flags); /* NORACE */
	set_bit(1, &tape->state); /* RACE */
	return IRQ_HANDLED;
}

static long tape_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct tape *tape = file->private_data;
	if (test_and_clear_bit(1, &tape->flags)) /* NORACE */
		clear_bit(2, &tape->flags); /* NORACE */
	tape->state |= 4; /* RACE */
	return 0;
}

static const struct file_operations tape_fops = { .unlocked_ioctl = tape_ioctl };

int tape_setup(struct tape *tape)
{
	return request_irq(10, tape_interrupt, 0, "tape", tape);
}
