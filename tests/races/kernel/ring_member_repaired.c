/* An array that is a member, and the lock of the object that it is in: whatever the index is. */
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct adc {
	spinlock_t lock;
	u16 ring[64];
	unsigned int head, tail;
};

static irqreturn_t adc_irq(int irq, void *data)
{
	struct adc *adc = data;

	spin_lock(&adc->lock);
	if (adc->head - adc->tail < 64)
		adc->ring[adc->head++ % 64] = readw(adc); /* NORACE */
	spin_unlock(&adc->lock);
	return IRQ_HANDLED;
}

int adc_read(struct adc *adc)
{
	unsigned long flags;
	int v = -1;

	spin_lock_irqsave(&adc->lock, flags);
	if (adc->tail != adc->head)
		v = adc->ring[adc->tail++ % 64]; /* NORACE */
	spin_unlock_irqrestore(&adc->lock, flags);
	return v;
}

void adc_write(struct adc *adc, unsigned int i)
{
	unsigned long flags;

	spin_lock_irqsave(&adc->lock, flags);
	adc->ring[i] = 0; /* NORACE */
	spin_unlock_irqrestore(&adc->lock, flags);
}

int adc_setup(struct adc *adc)
{
	return request_irq(7, adc_irq, 0, "adc", adc);
}
