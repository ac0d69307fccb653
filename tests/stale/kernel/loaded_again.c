/* The list was not empty when the lock was let go; what is loaded from it again is used without a look at it. */
#include <linux/spinlock.h>

struct item { int size; struct item *next; };
struct port { spinlock_t lock; struct item *head; };
extern void port_kick(struct port *port);

int port_size(struct port *port)
{
	struct item *item;
	int size;
	spin_lock(&port->lock);
	if (!port->head) {
		spin_unlock(&port->lock);
		return 0;
	}
	spin_unlock(&port->lock);
	port_kick(port);
	spin_lock(&port->lock);
	item = port->head;
	size = item->size; /* STALE-CHECK */
	spin_unlock(&port->lock);
	return size;
}

void port_drop(struct port *port)
{
	spin_lock(&port->lock);
	port->head = NULL;
	spin_unlock(&port->lock);
}
