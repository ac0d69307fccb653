/* Another lock, which the writer takes too, is held all the time. */
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

static DEFINE_SPINLOCK(all_ports);

void port_clear(struct port *port)
{
	spin_lock(&all_ports);
	spin_lock(&port->lock);
	port->current_packet = NULL;
	port->used = 0;
	port->state = 0;
	port->generation++;
	spin_unlock(&port->lock);
	spin_unlock(&all_ports);
}

int port_size(struct port *port)
{
	int size = -1;
	spin_lock(&all_ports);
	spin_lock(&port->lock);
	if (!port->current_packet) {
		spin_unlock(&port->lock);
		spin_unlock(&all_ports);
		return -1;
	}
	spin_unlock(&port->lock);
	port_kick(port);
	spin_lock(&port->lock);
	size = port->current_packet->size; /* NOSTALE-CHECK */
	spin_unlock(&port->lock);
	spin_unlock(&all_ports);
	return size;
}
