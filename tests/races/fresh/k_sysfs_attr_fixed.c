#include <linux/device.h>
#include <linux/i2c.h>
#include <linux/mutex.h>
#include <linux/module.h>

struct fan_data {
	struct i2c_client *client;
	struct mutex update_lock;
	unsigned long last_updated;
	bool valid;
	u8 pwm;
	u8 div;
	u16 rpm;
};

static struct fan_data *fan_update(struct device *dev)
{
	struct fan_data *data = dev_get_drvdata(dev);

	mutex_lock(&data->update_lock);
	if (time_after(jiffies, data->last_updated + HZ) || !data->valid) {
		data->rpm = i2c_smbus_read_word_data(data->client, 0x10);
		data->div = i2c_smbus_read_byte_data(data->client, 0x12);
		data->last_updated = jiffies;
		data->valid = true;
	}
	mutex_unlock(&data->update_lock);
	return data;
}

static ssize_t pwm_store(struct device *dev, struct device_attribute *da, const char *buf, size_t count)
{
	struct fan_data *data = dev_get_drvdata(dev);
	unsigned long val;
	int err = kstrtoul(buf, 10, &val);

	if (err)
		return err;
	mutex_lock(&data->update_lock);
	data->pwm = clamp_val(val, 0, 255);
	i2c_smbus_write_byte_data(data->client, 0x11, data->pwm);
	mutex_unlock(&data->update_lock);
	return count;
}

static ssize_t div_store(struct device *dev, struct device_attribute *da, const char *buf, size_t count)
{
	struct fan_data *data = dev_get_drvdata(dev);
	u8 v = simple_strtoul(buf, NULL, 10);

	mutex_lock(&data->update_lock);
	data->div = v; // NORACE
	data->valid = false;
	i2c_smbus_write_byte_data(data->client, 0x12, v);
	mutex_unlock(&data->update_lock);
	return count;
}

static ssize_t rpm_show(struct device *dev, struct device_attribute *da, char *buf)
{
	struct fan_data *data = fan_update(dev);
	int rpm;

	mutex_lock(&data->update_lock);
	rpm = data->rpm >> data->div;
	mutex_unlock(&data->update_lock);
	return sprintf(buf, "%d\n", rpm);
}

static DEVICE_ATTR_WO(pwm);
static DEVICE_ATTR_WO(div);
static DEVICE_ATTR_RO(rpm);

static struct attribute *fan_attrs[] = {
	&dev_attr_pwm.attr,
	&dev_attr_div.attr,
	&dev_attr_rpm.attr,
	NULL
};
ATTRIBUTE_GROUPS(fan);
