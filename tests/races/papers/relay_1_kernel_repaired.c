/* RELAY, Figure 1, as the kernel has it, repaired: the lock is kept until the counter was written. */
#include <linux/kthread.h>
#include <linux/spinlock.h>

struct airo_info { spinlock_t lock; struct { int event; } power; struct { int rx_packets; } stats; };
struct net_device { struct airo_info *priv; };

static struct airo_info airo;
static struct net_device device = { &airo };

static void airo_read_stats(struct airo_info *ai)
{
	if (ai->power.event++) { /* NORACE */
		spin_unlock(&ai->lock);
		return;
	}
	ai->stats.rx_packets += 1; /* NORACE */
	spin_unlock(&ai->lock);
}

static int airo_thread(void *data)
{
	struct net_device *dev = data;
	struct airo_info *ai = dev->priv;
	for (;;) {
		spin_lock(&ai->lock);
		airo_read_stats(ai);
	}
	return 0;
}

static int airo_flush(void *data)
{
	struct net_device *dev = data;
	spin_lock(&dev->priv->lock);
	dev->priv->power.event = 0; /* NORACE */
	dev->priv->stats.rx_packets = 0;
	spin_unlock(&dev->priv->lock);
	return 0;
}

int airo_open(void)
{
	spin_lock_init(&airo.lock);
	kthread_run(airo_thread, &device, "airo");
	kthread_run(airo_flush, &device, "flush");
	return 0;
}
