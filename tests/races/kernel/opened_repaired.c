/* The rings are set up when the device is opened: nothing is sent before. */
struct card { spinlock_t lock; int head; int room; };

static int card_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct card *card = netdev_priv(dev);
	spin_lock(&card->lock);
	card->head++;
	card->room--;
	spin_unlock(&card->lock);
	return 0;
}

static u16 card_select(struct sk_buff *skb, struct card *card)
{
	u16 queue;
	spin_lock(&card->lock);
	queue = card->head > card->room;
	card->head = queue;
	spin_unlock(&card->lock);
	return queue;
}

static int card_send(struct sk_buff *skb, struct net_device *dev)
{
	struct card *card = netdev_priv(dev);
	int queue = card_select(skb, card);
	spin_lock(&card->lock);
	card->room -= queue;
	if (card->room < 0)
		card->head--;
	spin_unlock(&card->lock);
	return 0;
}

static int card_open(struct net_device *dev)
{
	struct card *card = netdev_priv(dev);
	card->head = 0; /* NORACE */
	card->room = 16; /* NORACE */
	netif_start_queue(dev);
	return 0;
}

static const struct net_device_ops card_ops = { .ndo_open = card_open, .ndo_start_xmit = card_xmit };
static const struct net_device_ops other_ops = { .ndo_open = card_open, .ndo_start_xmit = card_send };

void card_make(struct card *card)
{
	spin_lock_init(&card->lock);
}
