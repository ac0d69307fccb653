// SPDX-License-Identifier: GPL-2.0
/* Fan controller: a delayed work adjusts the PWM, limits come from sysfs. */
#include <linux/module.h>
#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include <linux/slab.h>
#include <linux/i2c.h>

struct fanctl {
	struct i2c_client *client;
	struct mutex lock;		/* protects min, max, pwm */
	struct delayed_work poll;
	int min;
	int max;
	int pwm;
};

static void fanctl_poll(struct work_struct *work)
{
	struct fanctl *fc = container_of(work, struct fanctl, poll.work);
	int temp = i2c_smbus_read_byte_data(fc->client, 0x10);

	mutex_lock(&fc->lock);
	if (temp >= fc->max && fc->pwm < 255)
		fc->pwm++;
	else if (temp < fc->min && fc->pwm > 0)
		fc->pwm--;
	i2c_smbus_write_byte_data(fc->client, 0x20, fc->pwm);
	mutex_unlock(&fc->lock);
	schedule_delayed_work(&fc->poll, HZ);
}

static ssize_t limits_show(struct device *dev, struct device_attribute *attr,
			   char *buf)
{
	struct fanctl *fc = dev_get_drvdata(dev);
	ssize_t n;

	mutex_lock(&fc->lock);
	n = sprintf(buf, "%d %d\n", fc->min, fc->max);
	mutex_unlock(&fc->lock);
	return n;
}

static ssize_t limits_store(struct device *dev, struct device_attribute *attr,
			    const char *buf, size_t count)
{
	struct fanctl *fc = dev_get_drvdata(dev);
	int lo, hi;

	if (sscanf(buf, "%d %d", &lo, &hi) != 2 || lo > hi)
		return -EINVAL;
	fc->min = lo; // RACE!
	fc->max = hi; // RACE!
	return count;
}
static DEVICE_ATTR_RW(limits);

static int fanctl_probe(struct i2c_client *client)
{
	struct fanctl *fc;
	int ret;

	fc = devm_kzalloc(&client->dev, sizeof(*fc), GFP_KERNEL);
	if (!fc)
		return -ENOMEM;
	fc->client = client;
	fc->min = 40;
	fc->max = 70;
	mutex_init(&fc->lock);
	INIT_DELAYED_WORK(&fc->poll, fanctl_poll);
	i2c_set_clientdata(client, fc);
	ret = device_create_file(&client->dev, &dev_attr_limits);
	if (ret)
		return ret;
	schedule_delayed_work(&fc->poll, HZ);
	return 0;
}

static void fanctl_remove(struct i2c_client *client)
{
	struct fanctl *fc = i2c_get_clientdata(client);

	device_remove_file(&client->dev, &dev_attr_limits);
	cancel_delayed_work_sync(&fc->poll);
}

static struct i2c_driver fanctl_driver = {
	.driver = { .name = "fanctl" },
	.probe = fanctl_probe,
	.remove = fanctl_remove,
};
module_i2c_driver(fanctl_driver);
MODULE_LICENSE("GPL");
