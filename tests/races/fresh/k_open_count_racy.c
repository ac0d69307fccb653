// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/cdev.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/regulator/consumer.h>

/* Camera sensor char device: powered while at least one file is open. */
struct sensor_dev {
	struct cdev cdev;
	struct mutex power_lock;
	struct regulator *vdd;
	unsigned int users;
};

static struct sensor_dev sensor;
static dev_t sensor_devt;

static int sensor_open(struct inode *inode, struct file *filp)
{
	struct sensor_dev *sd = container_of(inode->i_cdev, struct sensor_dev, cdev);
	int ret = 0;

	filp->private_data = sd;
	if (sd->users++ == 0) { // RACE!
		mutex_lock(&sd->power_lock);
		ret = regulator_enable(sd->vdd);
		mutex_unlock(&sd->power_lock);
		if (ret)
			sd->users--;
	}
	return ret;
}

static int sensor_release(struct inode *inode, struct file *filp)
{
	struct sensor_dev *sd = filp->private_data;

	mutex_lock(&sd->power_lock);
	if (--sd->users == 0)
		regulator_disable(sd->vdd);
	mutex_unlock(&sd->power_lock);
	return 0;
}

static const struct file_operations sensor_fops = {
	.owner   = THIS_MODULE,
	.open    = sensor_open,
	.release = sensor_release,
};

static int __init sensor_init(void)
{
	int ret;

	mutex_init(&sensor.power_lock);
	sensor.vdd = regulator_get(NULL, "vdd");
	if (IS_ERR(sensor.vdd))
		return PTR_ERR(sensor.vdd);
	ret = alloc_chrdev_region(&sensor_devt, 0, 1, "sensor");
	if (ret)
		goto put_reg;
	cdev_init(&sensor.cdev, &sensor_fops);
	ret = cdev_add(&sensor.cdev, sensor_devt, 1);
	if (ret)
		goto unreg;
	return 0;
unreg:
	unregister_chrdev_region(sensor_devt, 1);
put_reg:
	regulator_put(sensor.vdd);
	return ret;
}

static void __exit sensor_exit(void)
{
	cdev_del(&sensor.cdev);
	unregister_chrdev_region(sensor_devt, 1);
	regulator_put(sensor.vdd);
}

module_init(sensor_init);
module_exit(sensor_exit);
MODULE_LICENSE("GPL");
