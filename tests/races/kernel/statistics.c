// racerx-verdict: shown
/* Counters that nobody ever protects: no belief to go against. */
#include <linux/slab.h>
#include <linux/spinlock.h>

struct interface { spinlock_t lock; int up; unsigned int rx_packets, rx_errors; };

void interface_receive(struct interface *i, int good)
{
	if (good)
		i->rx_packets++; /* NORACE */
	else
		i->rx_errors++; /* NORACE */
}

unsigned int interface_packets(struct interface *i) { return i->rx_packets; /* NORACE */ }
unsigned int interface_errors(struct interface *i) { return i->rx_errors; /* NORACE */ }
void interface_up(struct interface *i) { spin_lock(&i->lock); i->up = 1; /* NORACE */ spin_unlock(&i->lock); }
void interface_down(struct interface *i) { spin_lock(&i->lock); i->up = 0; /* NORACE */ spin_unlock(&i->lock); }
