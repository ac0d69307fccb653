#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/hwmon.h>

static DEFINE_SPINLOCK(fan_lock);
static unsigned int pulses, rpm;

static irqreturn_t fan_tick(int irq, void *dev)
{
	unsigned long flags;

	spin_lock_irqsave(&fan_lock, flags);
	pulses++;
	spin_unlock_irqrestore(&fan_lock, flags);
	return IRQ_HANDLED;
}

static int fan_read(struct device *dev, enum hwmon_sensor_types type, u32 attr, int ch, long *val)
{
	spin_lock_irq(&fan_lock);
	rpm = pulses * 60;
	pulses = 0;
	*val = rpm;
	spin_unlock_irq(&fan_lock);
	return 0;
}

static const struct hwmon_ops fan_ops = {
	.read = fan_read,
};

int fan_attach(struct device *dev, int irq)
{
	return devm_request_irq(dev, irq, fan_tick, IRQF_TRIGGER_RISING, "fan", dev);
}
EXPORT_SYMBOL(fan_attach);
