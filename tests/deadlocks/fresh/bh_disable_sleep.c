#include <linux/netdevice.h>
#include <linux/mutex.h>
#include <linux/rtnetlink.h>

static DEFINE_MUTEX(stat_mutex);
static u64 total;

static void flush_one(struct net_device *dev)
{
	mutex_lock(&stat_mutex); /* SLEEP */
	total += dev->stats.rx_packets;
	mutex_unlock(&stat_mutex);
}

void flush_stats(struct net_device *dev)
{
	local_bh_disable();
	dev->stats.rx_dropped = 0;
	flush_one(dev);
	local_bh_enable();
}
EXPORT_SYMBOL(flush_stats);
