/* An interrupt handler must not sleep, nor may what it calls. */
#include <linux/interrupt.h>
#include <linux/mutex.h>

struct keypad { struct mutex lock; int irq, key; };

static void keypad_store(struct keypad *keypad, int key)
{
	mutex_lock(&keypad->lock); /* SLEEP */
	keypad->key = key;
	mutex_unlock(&keypad->lock);
}

static irqreturn_t keypad_interrupt(int irq, void *data)
{
	keypad_store(data, inb(0x60));
	return IRQ_HANDLED;
}

int keypad_open(struct keypad *keypad)
{
	mutex_init(&keypad->lock);
	return request_irq(keypad->irq, keypad_interrupt, 0, "keypad", keypad);
}
