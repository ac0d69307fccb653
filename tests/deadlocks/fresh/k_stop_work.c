// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/device.h>

struct gauge {
	struct mutex		lock;
	struct delayed_work	sample;
	int			value;
	bool			enabled;
};

static void gauge_sample(struct work_struct *w)
{
	struct gauge *g = container_of(w, struct gauge, sample.work);

	mutex_lock(&g->lock);
	g->value++;
	if (g->enabled)
		schedule_delayed_work(&g->sample, HZ / 10);
	mutex_unlock(&g->lock);
}

static void gauge_stop(struct gauge *g)
{
	mutex_lock(&g->lock);
	g->enabled = false;
	cancel_delayed_work_sync(&g->sample); // DEADLOCK!
	mutex_unlock(&g->lock);
}

static void gauge_start(struct gauge *g)
{
	mutex_lock(&g->lock);
	g->enabled = true;
	schedule_delayed_work(&g->sample, 0);
	mutex_unlock(&g->lock);
}

static ssize_t value_show(struct device *dev, struct device_attribute *a, char *buf)
{
	struct gauge *g = dev_get_drvdata(dev);
	int v;

	mutex_lock(&g->lock);
	v = g->value;
	mutex_unlock(&g->lock);
	return sprintf(buf, "%d\n", v);
}
static DEVICE_ATTR_RO(value);

static int gauge_probe(struct platform_device *pdev)
{
	struct gauge *g = devm_kzalloc(&pdev->dev, sizeof(*g), GFP_KERNEL);
	int ret;

	if (!g)
		return -ENOMEM;
	mutex_init(&g->lock);
	INIT_DELAYED_WORK(&g->sample, gauge_sample);
	platform_set_drvdata(pdev, g);
	ret = device_create_file(&pdev->dev, &dev_attr_value);
	if (ret)
		return ret;
	gauge_start(g);
	return 0;
}

static int gauge_remove(struct platform_device *pdev)
{
	struct gauge *g = platform_get_drvdata(pdev);

	device_remove_file(&pdev->dev, &dev_attr_value);
	gauge_stop(g);
	return 0;
}

static struct platform_driver gauge_driver = {
	.probe	= gauge_probe,
	.remove	= gauge_remove,
	.driver	= { .name = "gauge" },
};
module_platform_driver(gauge_driver);
MODULE_LICENSE("GPL");
