/* A reference is taken before the lock is let go. */
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

void port_drop(struct port *port)
{
	struct packet *packet;
	spin_lock(&port->lock);
	packet = port->current_packet;
	port->current_packet = NULL;
	spin_unlock(&port->lock);
	kfree(packet);
}

int port_packet_size(struct port *port)
{
	struct packet *packet;
	int size = -1;
	spin_lock(&port->lock);
	packet = port->current_packet;
	if (packet)
		packet->users++;
	spin_unlock(&port->lock);
	if (packet)
		size = packet->size; /* NOESCAPED */
	return size;
}
