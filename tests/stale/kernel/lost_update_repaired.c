/* Read again. */
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

void port_count(struct port *port)
{
	int used;
	spin_lock(&port->lock);
	used = port->used;
	spin_unlock(&port->lock);
	port_kick(port);
	spin_lock(&port->lock);
	used = port->used;
	port->used = used + 1; /* NOSTALE-COPY */
	spin_unlock(&port->lock);
}
