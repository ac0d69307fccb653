/* Whoever touches the ring turns interrupts off, but for one. The handler does not: it is what is kept out. */
struct ring { int head; int tail; };
static struct ring ring;
static int lost;

void ring_add(int by)
{
	unsigned long flags;

	local_irq_save(flags);
	ring.head += by;
	ring.tail += 1;
	local_irq_restore(flags);
}

void ring_drop(int by)
{
	unsigned long flags;

	local_irq_save(flags);
	ring.head -= by;
	ring.tail -= 1;
	local_irq_restore(flags);
}

int ring_length(void)
{
	unsigned long flags;
	int length;

	local_irq_save(flags);
	length = ring.head - ring.tail;
	local_irq_restore(flags);
	return length;
}

void ring_swap(void)
{
	unsigned long flags;
	int head;

	local_irq_save(flags);
	head = ring.head;
	ring.head = ring.tail;
	ring.tail = head;
	local_irq_restore(flags);
}

void ring_clear(void)
{
	ring.head = 0; /* RACE */
}

static irqreturn_t ring_interrupt(int irq, void *data)
{
	if (ring.tail > 100)
		lost++;
	ring.tail = 0; /* NORACE */
	return 1;
}

static int ring_start(void)
{
	return request_irq(7, ring_interrupt, 0, "ring", &ring);
}
