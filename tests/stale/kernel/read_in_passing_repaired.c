/* Nobody was seen to use it; after the lock was let go whoever calls gets its number, and can tell. */
#include <linux/spinlock.h>

struct port { spinlock_t lock; int user; };
extern void port_kick(struct port *port);
extern void port_log(int number);

int port_take(struct port *port, int user)
{
	int was;
	spin_lock(&port->lock);
	if (port->user) {
		spin_unlock(&port->lock);
		return -1;
	}
	spin_unlock(&port->lock);
	port_kick(port);
	spin_lock(&port->lock);
	was = port->user;
	port->user = user; /* NOSTALE-CHECK */
	spin_unlock(&port->lock);
	return was;
}

void port_leave(struct port *port)
{
	spin_lock(&port->lock);
	port->user = 0;
	spin_unlock(&port->lock);
}
