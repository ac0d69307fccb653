/* What sleeps itself was not written for handlers: a way from one that leads through it is none. The same lock taken by
 * a function that does not sleep is taken with interrupts off here. */
#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

struct chip { struct mutex mode_lock; spinlock_t lock, stats_lock; int irq, mode, seen; };

static void chip_mark(struct chip *chip)
{
	spin_lock(&chip->stats_lock); /* NOIRQ-DEADLOCK */
	chip->seen++;
	spin_unlock(&chip->stats_lock);
}

static void chip_reset(struct chip *chip)
{
	mutex_lock(&chip->mode_lock); /* SLEEP */
	chip->mode = 0;
	chip_mark(chip);
	mutex_unlock(&chip->mode_lock);
}

static irqreturn_t chip_interrupt(int irq, void *data)
{
	struct chip *chip = data;
	if (chip->mode > 7)
		chip_reset(chip);
	spin_lock(&chip->lock); /* NOIRQ-DEADLOCK */
	chip->seen = 1;
	spin_unlock(&chip->lock);
	return IRQ_HANDLED;
}

int chip_seen(struct chip *chip)
{
	int seen;
	spin_lock(&chip->stats_lock); /* NOIRQ-DEADLOCK */
	seen = chip->seen;
	spin_unlock(&chip->stats_lock);
	return seen;
}

void chip_clear(struct chip *chip)
{
	spin_lock_irq(&chip->lock); /* NOIRQ-DEADLOCK */
	chip->seen = 0;
	spin_unlock_irq(&chip->lock);
}

int chip_open(struct chip *chip)
{
	return request_irq(chip->irq, chip_interrupt, IRQF_SHARED, "chip", chip);
}
