#include <linux/mutex.h>
#include <linux/fs.h>
#include <linux/workqueue.h>
#include <linux/slab.h>

struct card {
	struct mutex conf;
	struct mutex io;
	struct work_struct hotplug;
	int ports, mode;
};

static struct card *the_card;

static void hotplug_fn(struct work_struct *work)
{
	struct card *c = container_of(work, struct card, hotplug);

	mutex_lock(&c->io);
	c->ports++;
	mutex_lock(&c->conf); /* DEADLOCK */
	c->mode = c->ports > 1;
	mutex_unlock(&c->conf);
	mutex_unlock(&c->io);
}

static int card_set_mode(struct card *c, int mode)
{
	int ports;

	mutex_lock(&c->io); /* DEADLOCK */
	ports = c->ports;
	mutex_unlock(&c->io);
	if (mode > ports)
		return -EINVAL;
	c->mode = mode;
	return 0;
}

static long card_ioctl(struct file *f, unsigned int cmd, unsigned long arg)
{
	struct card *c = the_card;
	long ret;

	mutex_lock(&c->conf);
	ret = cmd == 1 ? card_set_mode(c, arg) : -ENOTTY;
	mutex_unlock(&c->conf);
	return ret;
}

static const struct file_operations card_fops = { .unlocked_ioctl = card_ioctl };

int card_attach(void)
{
	the_card = kzalloc(sizeof(*the_card), GFP_KERNEL);
	if (!the_card)
		return -ENOMEM;
	mutex_init(&the_card->conf);
	mutex_init(&the_card->io);
	INIT_WORK(&the_card->hotplug, hotplug_fn);
	return register_chrdev(240, "card", &card_fops);
}

irqreturn_t card_irq(int irq, void *dev)
{
	schedule_work(&the_card->hotplug);
	return IRQ_HANDLED;
}
