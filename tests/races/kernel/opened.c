// racerx-verdict: shown
/* The rings are set up when the device is opened, and work that starts it again does the same while frames are sent. */
struct card { spinlock_t lock; int head; int room; struct work_struct again; };

static int card_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct card *card = netdev_priv(dev);
	spin_lock(&card->lock);
	card->head++;
	card->room--;
	spin_unlock(&card->lock);
	return 0;
}

static void card_timeout(struct net_device *dev, unsigned int queue)
{
	struct card *card = netdev_priv(dev);
	spin_lock(&card->lock);
	card->head = 0;
	card->room++;
	spin_unlock(&card->lock);
}

static void card_count(struct net_device *dev, struct rtnl_link_stats64 *stats)
{
	struct card *card = netdev_priv(dev);
	spin_lock(&card->lock);
	stats->tx_packets = card->head;
	stats->tx_dropped = card->room;
	spin_unlock(&card->lock);
}

static int card_open(struct net_device *dev)
{
	struct card *card = netdev_priv(dev);
	card->head = 0; /* RACE */
	card->room = 16; /* RACE */
	netif_start_queue(dev);
	return 0;
}

static void card_again(struct work_struct *work)
{
	struct card *card = container_of(work, struct card, again);
	card_open(card_device);
}

static const struct net_device_ops card_ops = { .ndo_open = card_open, .ndo_start_xmit = card_xmit };

void card_make(struct card *card)
{
	spin_lock_init(&card->lock);
	INIT_WORK(&card->again, card_again);
	schedule_work(&card->again);
}
