/* The lock is let go two calls below, and taken again there, before anything is looked at. */
#include <linux/spinlock.h>
#include <linux/errno.h>

#define PORT_BUSY 4
struct port { spinlock_t lock; unsigned flags; int pending; };
extern void port_flush(int number);

/* Called with the lock held; comes back with it. */
static void port_drain(struct port *port)
{
	spin_unlock(&port->lock);
	port_flush(3);
	spin_lock(&port->lock);
}

static void port_settle(struct port *port)
{
	if (port->pending)
		port_drain(port);
	port->pending = 0;
}

int port_claim(struct port *port)
{
	spin_lock(&port->lock);
	port_settle(port);
	if (port->flags & PORT_BUSY) {
		spin_unlock(&port->lock);
		return -EBUSY;
	}
	port->flags |= PORT_BUSY; /* NOSTALE-CHECK */
	spin_unlock(&port->lock); /* NOUNHELD */
	return 0;
}

void port_leave(struct port *port)
{
	spin_lock(&port->lock);
	port->flags &= ~PORT_BUSY;
	spin_unlock(&port->lock);
}
