// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/platform_device.h>
#include <linux/io.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/uaccess.h>

#define UFIFO_SIZE	256
#define REG_STAT	0x04
#define REG_DATA	0x08
#define STAT_RXRDY	0x01

struct ufifo {
	void __iomem *base;
	spinlock_t lock;
	unsigned int head;
	unsigned int tail;
	u8 buf[UFIFO_SIZE];
	struct miscdevice misc;
};

static irqreturn_t ufifo_irq(int irq, void *dev_id)
{
	struct ufifo *uf = dev_id;
	irqreturn_t ret = IRQ_NONE;

	spin_lock(&uf->lock);
	while (readl(uf->base + REG_STAT) & STAT_RXRDY) {
		u8 ch = readl(uf->base + REG_DATA);

		if (uf->head - uf->tail < UFIFO_SIZE)
			uf->buf[uf->head++ % UFIFO_SIZE] = ch;
		ret = IRQ_HANDLED;
	}
	spin_unlock(&uf->lock);
	return ret;
}

static ssize_t ufifo_read(struct file *file, char __user *ubuf,
			  size_t len, loff_t *ppos)
{
	struct ufifo *uf = container_of(file->private_data, struct ufifo, misc);
	unsigned long flags;
	u8 tmp[64];
	size_t n = 0;

	if (len > sizeof(tmp))
		len = sizeof(tmp);
	spin_lock_irqsave(&uf->lock, flags);
	while (n < len && uf->tail != uf->head) // NORACE
		tmp[n++] = uf->buf[uf->tail++ % UFIFO_SIZE]; // NORACE
	spin_unlock_irqrestore(&uf->lock, flags);
	if (copy_to_user(ubuf, tmp, n))
		return -EFAULT;
	return n;
}

static const struct file_operations ufifo_fops = {
	.owner	= THIS_MODULE,
	.read	= ufifo_read,
};

static int ufifo_probe(struct platform_device *pdev)
{
	struct ufifo *uf;
	int irq, ret;

	uf = devm_kzalloc(&pdev->dev, sizeof(*uf), GFP_KERNEL);
	if (!uf)
		return -ENOMEM;
	spin_lock_init(&uf->lock);
	uf->base = devm_platform_ioremap_resource(pdev, 0);
	if (IS_ERR(uf->base))
		return PTR_ERR(uf->base);
	uf->misc.minor = MISC_DYNAMIC_MINOR;
	uf->misc.name = "ufifo";
	uf->misc.fops = &ufifo_fops;
	platform_set_drvdata(pdev, uf);
	irq = platform_get_irq(pdev, 0);
	if (irq < 0)
		return irq;
	ret = devm_request_irq(&pdev->dev, irq, ufifo_irq, 0, "ufifo", uf);
	if (ret)
		return ret;
	return misc_register(&uf->misc);
}

static int ufifo_remove(struct platform_device *pdev)
{
	struct ufifo *uf = platform_get_drvdata(pdev);

	misc_deregister(&uf->misc);
	return 0;
}

static struct platform_driver ufifo_driver = {
	.probe	= ufifo_probe,
	.remove	= ufifo_remove,
	.driver	= { .name = "ufifo" },
};
module_platform_driver(ufifo_driver);
MODULE_LICENSE("GPL");
