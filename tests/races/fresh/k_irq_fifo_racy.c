#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/spinlock.h>

#define REG_DATA 0x00
#define REG_STAT 0x04

struct adc {
	void __iomem *base;
	spinlock_t lock;
	u16 ring[64];
	unsigned int head, tail;
	unsigned int lost;
	int irq;
};

static irqreturn_t adc_irq(int irq, void *data)
{
	struct adc *adc = data;
	u16 v = readw(adc->base + REG_DATA);

	spin_lock(&adc->lock);
	if (adc->head - adc->tail == ARRAY_SIZE(adc->ring))
		adc->lost++;
	else
		adc->ring[adc->head++ % ARRAY_SIZE(adc->ring)] = v;
	spin_unlock(&adc->lock);
	return IRQ_HANDLED;
}

static ssize_t value_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct adc *adc = dev_get_drvdata(dev);
	unsigned long flags;
	int v = -1;

	spin_lock_irqsave(&adc->lock, flags);
	if (adc->tail != adc->head)
		v = adc->ring[adc->tail++ % ARRAY_SIZE(adc->ring)];
	spin_unlock_irqrestore(&adc->lock, flags);
	return sprintf(buf, "%d\n", v);
}
static DEVICE_ATTR_RO(value);

static ssize_t flush_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t n)
{
	struct adc *adc = dev_get_drvdata(dev);

	adc->tail = adc->head;
	adc->lost = 0; // RACE!
	return n;
}
static DEVICE_ATTR_WO(flush);

static int adc_probe(struct platform_device *pdev)
{
	struct adc *adc;

	adc = devm_kzalloc(&pdev->dev, sizeof(*adc), GFP_KERNEL);
	if (!adc)
		return -ENOMEM;
	spin_lock_init(&adc->lock);
	adc->base = devm_platform_ioremap_resource(pdev, 0);
	adc->irq = platform_get_irq(pdev, 0);
	adc->head = adc->tail = 0;
	platform_set_drvdata(pdev, adc);
	device_create_file(&pdev->dev, &dev_attr_value);
	device_create_file(&pdev->dev, &dev_attr_flush);
	return devm_request_irq(&pdev->dev, adc->irq, adc_irq, 0, "adc", adc);
}

static struct platform_driver adc_driver = {
	.probe = adc_probe,
	.driver = { .name = "toy-adc" },
};
module_platform_driver(adc_driver);
