#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/device.h>

struct chip {
	spinlock_t reg_lock;
	spinlock_t stat_lock;
	unsigned int reg, stat;
};

static irqreturn_t chip_isr(int irq, void *p)
{
	struct chip *c = p;

	spin_lock(&c->reg_lock);
	c->reg++;
	spin_unlock(&c->reg_lock);
	return IRQ_HANDLED;
}

static void chip_count(struct chip *c)
{
	unsigned long flags;

	spin_lock_irqsave(&c->stat_lock, flags);
	c->stat++;
	spin_unlock_irqrestore(&c->stat_lock, flags);
}

void chip_update(struct chip *c, unsigned int v)
{
	unsigned long flags;

	spin_lock_irqsave(&c->reg_lock, flags);
	c->reg = v;
	chip_count(c);
	c->reg |= 1;
	spin_unlock_irqrestore(&c->reg_lock, flags);
}
EXPORT_SYMBOL_GPL(chip_update);

int chip_setup(struct chip *c, int irq)
{
	spin_lock_init(&c->reg_lock);
	spin_lock_init(&c->stat_lock);
	return request_irq(irq, chip_isr, 0, "chip", c);
}
