#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/platform_device.h>

struct acme_dev {
	spinlock_t lock;
	void __iomem *base;
	u32 pending;
	u32 events;
};

static irqreturn_t acme_irq(int irq, void *data)
{
	struct acme_dev *ad = data;
	u32 status = readl(ad->base + 4);

	if (!status)
		return IRQ_NONE;
	spin_lock(&ad->lock);
	ad->pending |= status;
	ad->events++;
	spin_unlock(&ad->lock);
	return IRQ_HANDLED;
}

static ssize_t pending_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct acme_dev *ad = dev_get_drvdata(dev);
	u32 p;
	unsigned long flags;

	spin_lock_irqsave(&ad->lock, flags);
	p = ad->pending;
	ad->pending = 0;
	spin_unlock_irqrestore(&ad->lock, flags);
	return sprintf(buf, "%u\n", p);
}
static DEVICE_ATTR_RO(pending);

static int acme_probe(struct platform_device *pdev)
{
	struct acme_dev *ad;
	int irq, ret;

	ad = devm_kzalloc(&pdev->dev, sizeof(*ad), GFP_KERNEL);
	if (!ad)
		return -ENOMEM;
	spin_lock_init(&ad->lock);
	irq = platform_get_irq(pdev, 0);
	if (irq < 0)
		return irq;
	ret = devm_request_irq(&pdev->dev, irq, acme_irq, 0, "acme", ad);
	if (ret)
		return ret;
	platform_set_drvdata(pdev, ad);
	return device_create_file(&pdev->dev, &dev_attr_pending);
}

static struct platform_driver acme_driver = {
	.probe = acme_probe,
	.driver = { .name = "acme" },
};
module_platform_driver(acme_driver);
MODULE_LICENSE("GPL");
