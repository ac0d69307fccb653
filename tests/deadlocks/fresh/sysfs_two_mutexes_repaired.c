#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

struct pmic { struct mutex reg_lock, state_lock; struct work_struct work; int reg, state; };

static struct pmic pmic;

static int pmic_write(int v)
{
	mutex_lock(&pmic.reg_lock);
	pmic.reg = v;
	mutex_unlock(&pmic.reg_lock);
	return 0;
}

static ssize_t state_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t n)
{
	mutex_lock(&pmic.state_lock);
	pmic.state = buf[0] == '1';
	pmic_write(pmic.state);
	mutex_unlock(&pmic.state_lock);
	return n;
}
static DEVICE_ATTR_WO(state);

static void pmic_work(struct work_struct *w)
{
	int on;

	mutex_lock(&pmic.reg_lock);
	on = pmic.reg & 1;
	mutex_unlock(&pmic.reg_lock);
	mutex_lock(&pmic.state_lock);
	pmic.state = on;
	mutex_unlock(&pmic.state_lock);
}

int pmic_init(struct device *dev)
{
	mutex_init(&pmic.reg_lock);
	mutex_init(&pmic.state_lock);
	INIT_WORK(&pmic.work, pmic_work);
	schedule_work(&pmic.work);
	return device_create_file(dev, &dev_attr_state);
}
EXPORT_SYMBOL(pmic_init);
