/* A bit of a map is seen to be clear, and set by a function after the lock was let go: two may have it. */
#include <linux/spinlock.h>
#include <linux/bitops.h>

struct port { spinlock_t lock; unsigned long map[4]; unsigned long flags; };
extern void port_kick(struct port *port);

int port_claim(struct port *port, int slot)
{
	spin_lock(&port->lock);
	if (test_bit(slot, port->map)) {
		spin_unlock(&port->lock);
		return -1;
	}
	spin_unlock(&port->lock);
	port_kick(port);
	spin_lock(&port->lock);
	__set_bit(slot, port->map); /* STALE-CHECK */
	spin_unlock(&port->lock);
	return 0;
}

void port_leave(struct port *port, int slot)
{
	spin_lock(&port->lock);
	__clear_bit(slot, port->map);
	spin_unlock(&port->lock);
}

int port_begin(struct port *port)
{
	spin_lock(&port->lock);
	if (test_bit(2, &port->flags)) {
		spin_unlock(&port->lock);
		return -1;
	}
	spin_unlock(&port->lock);
	port_kick(port);
	spin_lock(&port->lock);
	set_bit(2, &port->flags); /* STALE-CHECK */
	spin_unlock(&port->lock);
	return 0;
}

void port_end(struct port *port)
{
	spin_lock(&port->lock);
	clear_bit(2, &port->flags);
	spin_unlock(&port->lock);
}
