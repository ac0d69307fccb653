#include <linux/spinlock.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>

struct nic {
	spinlock_t tx_lock;
	unsigned int tx_head, tx_tail;
	struct sk_buff *tx_skb[64];
};

static int nic_ring_full(struct nic *n)
{
	return ((n->tx_head + 1) & 63) == n->tx_tail;
}

static netdev_tx_t nic_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct nic *n = netdev_priv(dev);
	unsigned long flags;

	spin_lock_irqsave(&n->tx_lock, flags);
	if (nic_ring_full(n)) {
		netif_stop_queue(dev);
		spin_unlock_irqrestore(&n->tx_lock, flags);
		return NETDEV_TX_BUSY;
	}
	n->tx_skb[n->tx_head] = skb;
	n->tx_head = (n->tx_head + 1) & 63;
	spin_unlock_irqrestore(&n->tx_lock, flags);
	return NETDEV_TX_OK;
}

static void nic_tx_timeout(struct net_device *dev, unsigned int q)
{
	struct nic *n = netdev_priv(dev);
	unsigned long flags;

	spin_lock_irqsave(&n->tx_lock, flags);
	n->tx_tail = n->tx_head;
	spin_unlock_irqrestore(&n->tx_lock, flags);
	netif_wake_queue(dev);
}

static const struct net_device_ops nic_ops = {
	.ndo_start_xmit = nic_start_xmit,
	.ndo_tx_timeout = nic_tx_timeout,
};
