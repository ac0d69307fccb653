/* The bound is checked again. */
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

int port_add(struct port *port, int value)
{
	spin_lock(&port->lock);
	if (port->used >= 16) {
		spin_unlock(&port->lock);
		return -1;
	}
	spin_unlock(&port->lock);
	port_kick(port);
	spin_lock(&port->lock);
	if (port->used < 16)
		port->slots[port->used++] = value; /* NOSTALE-CHECK */
	spin_unlock(&port->lock);
	return 0;
}
