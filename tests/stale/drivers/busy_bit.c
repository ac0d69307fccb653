/* The bit that was not set is set after the lock was let go: two may have it. */
#include <linux/spinlock.h>
#include <linux/errno.h>

#define PORT_BUSY 4
#define PORT_SEEN 8
struct port { spinlock_t lock; unsigned flags; int users; };
extern void port_prepare(int number);

int port_claim(struct port *port, int number)
{
	spin_lock(&port->lock);
	if (port->flags & PORT_BUSY) {
		spin_unlock(&port->lock);
		return -EBUSY;
	}
	spin_unlock(&port->lock);
	port_prepare(number);
	spin_lock(&port->lock);
	port->flags |= PORT_BUSY; /* STALE-CHECK */
	spin_unlock(&port->lock);
	return 0;
}

void port_leave(struct port *port)
{
	spin_lock(&port->lock);
	port->flags &= ~PORT_BUSY;
	spin_unlock(&port->lock);
}
