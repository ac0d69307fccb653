/* Two fields of one structure, each with its own lock, is no disorder. */
#include <linux/slab.h>
#include <linux/spinlock.h>

struct channel { spinlock_t tx_lock; spinlock_t rx_lock; int sent; int received; };

void channel_send(struct channel *c) { spin_lock(&c->tx_lock); c->sent++; /* NORACE */ spin_unlock(&c->tx_lock); }
void channel_unsend(struct channel *c) { spin_lock(&c->tx_lock); c->sent--; /* NORACE */ spin_unlock(&c->tx_lock); }
int channel_sent(struct channel *c) { int n; spin_lock(&c->tx_lock); n = c->sent; /* NORACE */ spin_unlock(&c->tx_lock); return n; }
void channel_receive(struct channel *c) { spin_lock(&c->rx_lock); c->received++; /* NORACE */ spin_unlock(&c->rx_lock); }
void channel_forget(struct channel *c) { spin_lock(&c->rx_lock); c->received = 0; /* NORACE */ spin_unlock(&c->rx_lock); }

void channel_clear(struct channel *c)
{
	spin_lock(&c->tx_lock);
	spin_lock(&c->rx_lock);
	c->sent = 0; /* NORACE */
	c->received = 0; /* NORACE */
	spin_unlock(&c->rx_lock);
	spin_unlock(&c->tx_lock);
}
