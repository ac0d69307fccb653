// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/io.h>

struct mbx {
	void __iomem *io;
	spinlock_t lock;
	u32 queue[8];
	unsigned int n;
	unsigned int dropped;
};

static unsigned int mbx_space(struct mbx *m)
{
	unsigned long flags;
	unsigned int room;

	spin_lock_irqsave(&m->lock, flags);
	room = ARRAY_SIZE(m->queue) - m->n;
	spin_unlock_irqrestore(&m->lock, flags);
	return room;
}

int mbx_post(struct mbx *m, u32 word)
{
	unsigned long flags;
	int ret = 0;

	spin_lock_irqsave(&m->lock, flags);
	if (m->n == ARRAY_SIZE(m->queue)) {
		m->dropped++;
		ret = -ENOSPC;
	} else {
		m->queue[m->n++] = word;
	}
	spin_unlock_irqrestore(&m->lock, flags);
	return ret;
}
EXPORT_SYMBOL_GPL(mbx_post);

bool mbx_ready(struct mbx *m)
{
	return mbx_space(m) > 0;
}
EXPORT_SYMBOL_GPL(mbx_ready);

static irqreturn_t mbx_irq(int irq, void *dev)
{
	struct mbx *m = dev;

	spin_lock(&m->lock);
	if (!m->n) {
		spin_unlock(&m->lock);
		return IRQ_NONE;
	}
	writel(m->queue[--m->n], m->io);
	spin_unlock(&m->lock);
	return IRQ_HANDLED;
}

static int mbx_probe(struct platform_device *pdev)
{
	struct mbx *m;
	int irq;

	m = devm_kzalloc(&pdev->dev, sizeof(*m), GFP_KERNEL);
	if (!m)
		return -ENOMEM;
	spin_lock_init(&m->lock);
	m->io = devm_platform_ioremap_resource(pdev, 0);
	if (IS_ERR(m->io))
		return PTR_ERR(m->io);
	platform_set_drvdata(pdev, m);
	irq = platform_get_irq(pdev, 0);
	if (irq < 0)
		return irq;
	return devm_request_irq(&pdev->dev, irq, mbx_irq, 0, "mbx", m);
}

static struct platform_driver mbx_driver = {
	.probe	= mbx_probe,
	.driver	= { .name = "mbx" },
};
module_platform_driver(mbx_driver);
MODULE_LICENSE("GPL");
