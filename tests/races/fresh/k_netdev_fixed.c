#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

struct toy_priv {
	spinlock_t tx_lock;
	struct sk_buff *ring[16];
	unsigned int tx_head, tx_tail;
	u64 sent;
	struct timer_list reaper;
	struct net_device *ndev;
};

static netdev_tx_t toy_xmit(struct sk_buff *skb, struct net_device *ndev)
{
	struct toy_priv *p = netdev_priv(ndev);
	unsigned long flags;

	spin_lock_irqsave(&p->tx_lock, flags);
	if (p->tx_head - p->tx_tail >= 16) {
		netif_stop_queue(ndev);
		spin_unlock_irqrestore(&p->tx_lock, flags);
		return NETDEV_TX_BUSY;
	}
	p->ring[p->tx_head++ % 16] = skb;
	p->sent++;
	spin_unlock_irqrestore(&p->tx_lock, flags);
	return NETDEV_TX_OK;
}

static void toy_reap(struct timer_list *t)
{
	struct toy_priv *p = from_timer(p, t, reaper);
	unsigned long flags;

	spin_lock_irqsave(&p->tx_lock, flags);
	while (p->tx_tail != p->tx_head) { // NORACE
		dev_kfree_skb_any(p->ring[p->tx_tail % 16]);
		p->tx_tail++;
	}
	spin_unlock_irqrestore(&p->tx_lock, flags);
	netif_wake_queue(p->ndev);
	mod_timer(&p->reaper, jiffies + HZ / 10);
}

static int toy_open(struct net_device *ndev)
{
	struct toy_priv *p = netdev_priv(ndev);

	mod_timer(&p->reaper, jiffies + HZ / 10);
	netif_start_queue(ndev);
	return 0;
}

static int toy_stop(struct net_device *ndev)
{
	struct toy_priv *p = netdev_priv(ndev);
	unsigned long flags;

	netif_stop_queue(ndev);
	del_timer_sync(&p->reaper);
	spin_lock_irqsave(&p->tx_lock, flags);
	p->tx_tail = p->tx_head;
	spin_unlock_irqrestore(&p->tx_lock, flags);
	return 0;
}

static void toy_get_stats64(struct net_device *ndev, struct rtnl_link_stats64 *s)
{
	struct toy_priv *p = netdev_priv(ndev);
	unsigned long flags;

	spin_lock_irqsave(&p->tx_lock, flags);
	s->tx_packets = p->sent;
	spin_unlock_irqrestore(&p->tx_lock, flags);
}

static const struct net_device_ops toy_netdev_ops = {
	.ndo_open = toy_open,
	.ndo_stop = toy_stop,
	.ndo_start_xmit = toy_xmit,
	.ndo_get_stats64 = toy_get_stats64,
};

void toy_setup(struct net_device *ndev)
{
	struct toy_priv *p = netdev_priv(ndev);

	ether_setup(ndev);
	ndev->netdev_ops = &toy_netdev_ops;
	p->ndev = ndev;
	spin_lock_init(&p->tx_lock);
	timer_setup(&p->reaper, toy_reap, 0);
}
