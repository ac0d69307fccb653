/* Nobody was seen to use it; after the lock was let go its number is only written to a log. */
#include <linux/spinlock.h>

struct port { spinlock_t lock; int user; };
extern void port_kick(struct port *port);
extern void port_log(int number);

int port_take(struct port *port, int user)
{
	spin_lock(&port->lock);
	if (port->user) {
		spin_unlock(&port->lock);
		return -1;
	}
	spin_unlock(&port->lock);
	port_kick(port);
	spin_lock(&port->lock);
	port_log(port->user);
	port->user = user; /* STALE-CHECK */
	spin_unlock(&port->lock);
	return 0;
}

void port_leave(struct port *port)
{
	spin_lock(&port->lock);
	port->user = 0;
	spin_unlock(&port->lock);
}
