// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <linux/timer.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/uaccess.h>
#include <linux/jiffies.h>
#include <linux/gpio/consumer.h>

struct blinker {
	struct timer_list	timer;
	spinlock_t		lock;
	struct gpio_desc	*gpio;
	unsigned int		remaining;
	bool			lit;
};

static struct blinker bl;

static void blink_tick(struct timer_list *t)
{
	struct blinker *b = from_timer(b, t, timer);

	b->lit = !b->lit;
	gpiod_set_value(b->gpio, b->lit);
	if (b->remaining && --b->remaining) // RACE!
		mod_timer(&b->timer, jiffies + HZ / 4);
}

static ssize_t blink_write(struct file *f, const char __user *ubuf,
			   size_t len, loff_t *pos)
{
	unsigned int n;
	int ret;

	ret = kstrtouint_from_user(ubuf, len, 0, &n);
	if (ret)
		return ret;
	if (n > 1000)
		return -ERANGE;

	spin_lock_bh(&bl.lock);
	bl.remaining += n;
	if (bl.remaining)
		mod_timer(&bl.timer, jiffies + 1);
	spin_unlock_bh(&bl.lock);
	return len;
}

static const struct file_operations blink_fops = {
	.owner = THIS_MODULE,
	.write = blink_write,
};

static struct miscdevice blink_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name  = "blink",
	.fops  = &blink_fops,
};

static int __init blink_init(void)
{
	spin_lock_init(&bl.lock);
	timer_setup(&bl.timer, blink_tick, 0);
	bl.gpio = gpiod_get(NULL, "blink", GPIOD_OUT_LOW);
	if (IS_ERR(bl.gpio))
		return PTR_ERR(bl.gpio);
	return misc_register(&blink_misc);
}

static void __exit blink_exit(void)
{
	misc_deregister(&blink_misc);
	del_timer_sync(&bl.timer);
	gpiod_put(bl.gpio);
}

module_init(blink_init);
module_exit(blink_exit);
MODULE_LICENSE("GPL");
