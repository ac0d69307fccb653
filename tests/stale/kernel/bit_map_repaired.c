/* A bit of a map is seen to be clear; after the lock was let go it is asked for again, another is set, or who sets it is told. */
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
	if (!test_bit(slot, port->map))
		__set_bit(slot, port->map); /* NOSTALE-CHECK */
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
	set_bit(3, &port->flags); /* NOSTALE-CHECK */
	if (test_and_set_bit(2, &port->flags)) { /* NOSTALE-CHECK */
		spin_unlock(&port->lock);
		return -1;
	}
	spin_unlock(&port->lock);
	return 0;
}

void port_end(struct port *port)
{
	spin_lock(&port->lock);
	clear_bit(2, &port->flags);
	spin_unlock(&port->lock);
}

/* Who sets the bit by asking has it until he clears it. */
int port_own(struct port *port)
{
	if (test_and_set_bit(5, &port->flags))
		return -1;
	spin_lock(&port->lock);
	clear_bit(5, &port->flags); /* NOCHECK-THEN-ACT */
	spin_unlock(&port->lock);
	return 0;
}
