#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/input.h>
#include <linux/gpio/consumer.h>

struct keypad {
	struct mutex lock;
	struct input_dev *input;
	int irq;
	u16 state;
};

static void keypad_scan(struct keypad *k)
{
	mutex_lock(&k->lock);
	k->state ^= 1;
	input_report_key(k->input, KEY_A, k->state & 1);
	input_sync(k->input);
	mutex_unlock(&k->lock);
}

static irqreturn_t keypad_isr(int irq, void *dev_id)
{
	struct keypad *k = dev_id;

	keypad_scan(k);
	return IRQ_HANDLED;
}

static int keypad_open(struct input_dev *dev)
{
	struct keypad *k = input_get_drvdata(dev);

	keypad_scan(k);
	return 0;
}

int keypad_register(struct keypad *k)
{
	mutex_init(&k->lock);
	k->input->open = keypad_open;
	return request_threaded_irq(k->irq, NULL, keypad_isr, IRQF_TRIGGER_FALLING | IRQF_ONESHOT, "keypad", k);
}
EXPORT_SYMBOL(keypad_register);
