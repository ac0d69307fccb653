// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <linux/timer.h>
#include <linux/spinlock.h>
#include <linux/netdevice.h>
#include <linux/jiffies.h>

struct wdog {
	spinlock_t		lock;
	struct timer_list	timer;
	unsigned int		missed;
	bool			up;
};

static struct wdog wd;

static void wd_expire(struct timer_list *t)
{
	struct wdog *w = from_timer(w, t, timer);
	unsigned long flags;

	spin_lock_irqsave(&w->lock, flags);
	w->missed++;
	if (w->up)
		mod_timer(&w->timer, jiffies + HZ);
	spin_unlock_irqrestore(&w->lock, flags);
}

static int wd_ifup(struct net_device *dev)
{
	spin_lock_bh(&wd.lock);
	wd.up = true;
	wd.missed = 0;
	mod_timer(&wd.timer, jiffies + HZ);
	spin_unlock_bh(&wd.lock);
	return 0;
}

static int wd_ifdown(struct net_device *dev)
{
	unsigned int missed;

	spin_lock_bh(&wd.lock);
	wd.up = false;
	missed = wd.missed;
	spin_unlock_bh(&wd.lock);
	del_timer_sync(&wd.timer);
	if (missed)
		pr_info("%u heartbeats missed\n", missed);
	return 0;
}

static const struct net_device_ops wd_ops = {
	.ndo_open = wd_ifup,
	.ndo_stop = wd_ifdown,
};

static struct net_device *wd_dev;

static void wd_setup(struct net_device *dev)
{
	dev->netdev_ops = &wd_ops;
}

static int __init wd_init(void)
{
	int ret;

	spin_lock_init(&wd.lock);
	timer_setup(&wd.timer, wd_expire, 0);
	wd_dev = alloc_netdev(0, "wd%d", NET_NAME_UNKNOWN, wd_setup);
	if (!wd_dev)
		return -ENOMEM;
	ret = register_netdev(wd_dev);
	if (ret)
		free_netdev(wd_dev);
	return ret;
}

static void __exit wd_exit(void)
{
	unregister_netdev(wd_dev);
	free_netdev(wd_dev);
}

module_init(wd_init);
module_exit(wd_exit);
MODULE_LICENSE("GPL");
