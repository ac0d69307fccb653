#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/jiffies.h>

static DEFINE_SPINLOCK(aging_lock);
static struct timer_list aging_timer;
static unsigned int aged[64];
static unsigned int limit = 10;

static void aging_expire(struct timer_list *t)
{
	int i;

	spin_lock(&aging_lock);
	for (i = 0; i < 64; i++)
		if (aged[i] && --aged[i] == 0)
			limit++;
	spin_unlock(&aging_lock);
	mod_timer(&aging_timer, jiffies + HZ);
}

int aging_touch(int who)
{
	int old;

	spin_lock(&aging_lock); /* IRQ-DEADLOCK */
	old = aged[who & 63];
	aged[who & 63] = limit;
	spin_unlock(&aging_lock);
	return old;
}
EXPORT_SYMBOL(aging_touch);

static int __init aging_init(void)
{
	timer_setup(&aging_timer, aging_expire, 0);
	mod_timer(&aging_timer, jiffies + HZ);
	return 0;
}

static void __exit aging_exit(void)
{
	del_timer_sync(&aging_timer);
}

module_init(aging_init);
module_exit(aging_exit);
MODULE_LICENSE("GPL");
