/* A counter of generations says that nothing has changed meanwhile: looked at again. */
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

int port_size(struct port *port)
{
	int generation, size = -1;
	spin_lock(&port->lock);
	if (!port->current_packet) {
		spin_unlock(&port->lock);
		return -1;
	}
	generation = port->generation;
	spin_unlock(&port->lock);
	port_kick(port);
	spin_lock(&port->lock);
	if (generation == port->generation)
		size = port->current_packet->size; /* NOSTALE-CHECK */
	spin_unlock(&port->lock);
	return size;
}
