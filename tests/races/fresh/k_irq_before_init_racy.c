// SPDX-License-Identifier: GPL-2.0
/* ADC sampler: the interrupt handler appends to a ring allocated in probe. */
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/io.h>

#define ADC_RING	512

struct adc {
	void __iomem	*regs;
	u16		*ring;
	unsigned int	pos;
	unsigned int	mask;
	int		irq;
};

static irqreturn_t adc_isr(int irq, void *data)
{
	struct adc *adc = data;
	u16 v = readw(adc->regs);

	adc->ring[adc->pos & adc->mask] = v;
	adc->pos++;
	return IRQ_HANDLED;
}

static int adc_probe(struct platform_device *pdev)
{
	struct adc *adc;
	int ret;

	adc = kzalloc(sizeof(*adc), GFP_KERNEL);
	if (!adc)
		return -ENOMEM;
	adc->regs = devm_platform_ioremap_resource(pdev, 0);
	if (IS_ERR(adc->regs)) {
		ret = PTR_ERR(adc->regs);
		goto err_free;
	}
	adc->irq = platform_get_irq(pdev, 0);
	if (adc->irq < 0) {
		ret = adc->irq;
		goto err_free;
	}
	ret = request_irq(adc->irq, adc_isr, IRQF_SHARED, "adc", adc);
	if (ret)
		goto err_free;
	adc->ring = kcalloc(ADC_RING, sizeof(u16), GFP_KERNEL); // TODO RACE: what a probe does after it has asked for interrupts
	if (!adc->ring) {
		ret = -ENOMEM;
		goto err_irq;
	}
	adc->mask = ADC_RING - 1;
	platform_set_drvdata(pdev, adc);
	return 0;

err_irq:
	free_irq(adc->irq, adc);
err_free:
	kfree(adc);
	return ret;
}

static int adc_remove(struct platform_device *pdev)
{
	struct adc *adc = platform_get_drvdata(pdev);

	free_irq(adc->irq, adc);
	kfree(adc->ring);
	kfree(adc);
	return 0;
}

static struct platform_driver adc_driver = {
	.driver	= { .name = "simple-adc" },
	.probe	= adc_probe,
	.remove	= adc_remove,
};
module_platform_driver(adc_driver);
MODULE_LICENSE("GPL");
