/* Whether the ring is locked is told through a pointer, and on through a wrapper. One caller does not look. */
struct ring { spinlock_t lock; int head, closed; };

static int ring_enter(struct ring *ring, int *entered)
{
	*entered = 0;
	if (ring->closed)
		return 0;
	spin_lock(&ring->lock);
	*entered = 1;
	return 0;
}

static void ring_begin(struct ring *ring, int *entered)
{
	ring_enter(ring, entered);
}

int ring_push(struct ring *ring)
{
	int entered;
	ring_begin(ring, &entered);
	if (!entered)
		return -EPIPE; /* NOLEAK */
	ring->head++;
	spin_unlock(&ring->lock); /* NOUNHELD */
	return 0; /* NOLEAK */
}

int ring_head(struct ring *ring)
{
	int entered, head;
	ring_enter(ring, &entered);
	head = ring->head;
	return head; /* LEAK */
}
