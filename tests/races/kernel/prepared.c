// racerx-verdict: shown
/* A transfer is set up before it is started, when the handler cannot come yet; the count of what was dropped is changed
 * while it runs. The second comes first. */
struct feeder { spinlock_t lock; void *base; int left, at, speed, dropped, late; int irq; };
struct feeder_ops { int (*feed)(struct feeder *feeder, int length); void (*skip)(struct feeder *feeder); };

static irqreturn_t feeder_interrupt(int irq, void *data)
{
	struct feeder *feeder = data;
	spin_lock(&feeder->lock);
	feeder->left--;
	feeder->at++;
	feeder->dropped += feeder->late;
	if (feeder->dropped > 9)
		feeder->dropped = 0;
	if (feeder->left > feeder->speed)
		feeder->left = feeder->speed;
	feeder->at += feeder->speed;
	spin_unlock(&feeder->lock);
	return IRQ_HANDLED;
}

static int feeder_feed(struct feeder *feeder, int length)
{
	unsigned long flags;
	feeder->left = length; /* RACE */
	feeder->at = 0;
	spin_lock_irqsave(&feeder->lock, flags);
	writel(1, feeder->base);
	feeder->speed = feeder->left / 2;
	spin_unlock_irqrestore(&feeder->lock, flags);
	return 0;
}

static void feeder_skip(struct feeder *feeder)
{
	feeder->dropped++; /* RACE #1 */
}

static const struct feeder_ops feeder_ops = { .feed = feeder_feed, .skip = feeder_skip };

int feeder_ioctl(struct feeder *feeder, const struct feeder_ops *ops, int length)
{
	if (!length)
		ops->skip(feeder);
	return ops->feed(feeder, length);
}

int feeder_open(struct feeder *feeder)
{
	return request_irq(feeder->irq, feeder_interrupt, IRQF_SHARED, "feeder", feeder);
}
