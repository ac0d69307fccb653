/* Bit-fields of one word: who reads one does not care for the others, which an interrupt handler writes under the lock; who writes
   one without it puts the others' old values back. */
// racerx: --preset linux
#include <linux/interrupt.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/fs.h>

struct card { spinlock_t lock; unsigned int wide : 1, sending : 1, full : 1; int sent; };

static irqreturn_t card_interrupt(int irq, void *dev_id)
{
	struct card *card = dev_id;
	spin_lock(&card->lock);
	card->sending = 0;
	card->full = 0;
	card->sent += card->wide;
	spin_unlock(&card->lock);
	return IRQ_HANDLED;
}

static ssize_t card_write(struct file *file, const char *buf, size_t n, loff_t *pos)
{
	struct card *card = file->private_data;
	unsigned long flags;
	spin_lock_irqsave(&card->lock, flags);
	card->sending = 1;
	card->full = n > 4;
	card->sent += card->wide ? 2 : 1;
	spin_unlock_irqrestore(&card->lock, flags);
	return n;
}

static int card_flush(struct file *file, fl_owner_t id)
{
	struct card *card = file->private_data;
	unsigned long flags;
	spin_lock_irqsave(&card->lock, flags);
	card->sending = 0;
	card->full = 0;
	card->sent -= card->wide;
	spin_unlock_irqrestore(&card->lock, flags);
	return 0;
}

static long card_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct card *card = file->private_data;
	if (cmd == 7) {
		card->full = 1; /* RACE */
		return 0;
	}
	return card->wide ? 16 : 8; /* NORACE */
}

static int card_open(struct inode *inode, struct file *file)
{
	struct card *card = kzalloc(sizeof(*card), GFP_KERNEL);
	spin_lock_init(&card->lock);
	card->wide = 1; /* NORACE */
	file->private_data = card;
	return request_irq(5, card_interrupt, 0, "card", card);
}

static const struct file_operations card_fops = {
	.open = card_open, .write = card_write, .flush = card_flush, .unlocked_ioctl = card_ioctl,
};
