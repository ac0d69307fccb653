/* The state says that it is taken before the lock is let go; what was there is put back. */
#include <linux/spinlock.h>
#include <linux/slab.h>

struct packet { int size; int users; };
struct port {
	spinlock_t lock;
	struct packet *current_packet;
	int used, limit, generation, state;
	int slots[16];
};
extern void port_kick(struct port *port);

void port_clear(struct port *port)
{
	spin_lock(&port->lock);
	port->current_packet = NULL;
	port->used = 0;
	port->state = 0;
	port->generation++;
	spin_unlock(&port->lock);
}

void port_flush(struct port *port)
{
	int state;
	spin_lock(&port->lock);
	state = port->state;
	port->state = 7;
	spin_unlock(&port->lock);
	port_kick(port);
	spin_lock(&port->lock);
	port->state = state; /* NOSTALE-COPY */
	spin_unlock(&port->lock);
}
