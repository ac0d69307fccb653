// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <linux/completion.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include <linux/slab.h>
#include <linux/usb.h>

enum { FWS_IDLE, FWS_LOADING, FWS_READY, FWS_FAILED };

struct tuner {
	struct usb_interface *intf;
	struct mutex state_lock;
	int state;
	struct work_struct load_work;
	struct completion loaded;
};

static int tuner_upload(struct tuner *t)
{
	return t->intf ? 0 : -ENODEV;
}

static void tuner_load(struct work_struct *work)
{
	struct tuner *t = container_of(work, struct tuner, load_work);
	int err = tuner_upload(t);

	mutex_lock(&t->state_lock);
	t->state = err ? FWS_FAILED : FWS_READY;
	mutex_unlock(&t->state_lock);
	complete(&t->loaded);
}

int tuner_power_on(struct tuner *t)
{
	int ret = 0;

	mutex_lock(&t->state_lock);
	if (t->state == FWS_IDLE) {
		t->state = FWS_LOADING;
		reinit_completion(&t->loaded);
		schedule_work(&t->load_work);
		mutex_unlock(&t->state_lock);
		wait_for_completion(&t->loaded);
		mutex_lock(&t->state_lock);
	}
	if (t->state != FWS_READY)
		ret = -EIO;
	mutex_unlock(&t->state_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(tuner_power_on);

static int tuner_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct tuner *t = kzalloc(sizeof(*t), GFP_KERNEL);

	if (!t)
		return -ENOMEM;
	t->intf = intf;
	t->state = FWS_IDLE;
	mutex_init(&t->state_lock);
	init_completion(&t->loaded);
	INIT_WORK(&t->load_work, tuner_load);
	usb_set_intfdata(intf, t);
	return 0;
}

static void tuner_disconnect(struct usb_interface *intf)
{
	struct tuner *t = usb_get_intfdata(intf);

	flush_work(&t->load_work);
	kfree(t);
}

static struct usb_driver tuner_driver = {
	.name = "tuner",
	.probe = tuner_probe,
	.disconnect = tuner_disconnect,
};
module_usb_driver(tuner_driver);
MODULE_LICENSE("GPL");
