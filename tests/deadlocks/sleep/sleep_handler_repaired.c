/* The half of the handler that runs in a thread may sleep. */
#include <linux/interrupt.h>
#include <linux/mutex.h>

struct keypad { struct mutex lock; int irq, key, raw; };

static irqreturn_t keypad_interrupt(int irq, void *data)
{
	struct keypad *keypad = data;
	keypad->raw = inb(0x60);
	return IRQ_WAKE_THREAD;
}

static irqreturn_t keypad_thread(int irq, void *data)
{
	struct keypad *keypad = data;
	mutex_lock(&keypad->lock); /* NOSLEEP */
	keypad->key = keypad->raw;
	mutex_unlock(&keypad->lock);
	return IRQ_HANDLED;
}

int keypad_open(struct keypad *keypad)
{
	mutex_init(&keypad->lock);
	return request_threaded_irq(keypad->irq, keypad_interrupt, keypad_thread, 0, "keypad", keypad);
}
