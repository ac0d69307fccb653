// racerx-verdict: shown
/* Free nodes are kept in one list of the program: an interrupt takes them off, a thread puts them back, by helpers. */
#include <linux/interrupt.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct node { struct node *next; int value; };
struct pile { struct node *first; };
static struct pile spare;

static inline void pile_put(struct pile *pile, struct node *node)
{
	node->next = pile->first;
	pile->first = node;
}

static inline struct node *pile_take(struct pile *pile)
{
	struct node *node = pile->first;
	if (node)
		pile->first = node->next;
	return node;
}

static irqreturn_t sensor_interrupt(int irq, void *data)
{
	struct node *node = pile_take(&spare); /* RACE@a */
	if (node)
		node->value = irq;
	return IRQ_HANDLED;
}

void sensor_done(struct node *node)
{
	pile_put(&spare, node); /* RACE@a */
}

static DEFINE_SPINLOCK(count_lock);
static int count;

void sensor_count(void)
{
	spin_lock(&count_lock);
	count++;
	spin_unlock(&count_lock);
}

int sensor_start(int irq)
{
	return request_irq(irq, sensor_interrupt, 0, "sensor", 0);
}
