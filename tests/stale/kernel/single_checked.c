/* Checked, locked, made: two threads may both find nothing. */
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

extern struct packet *packet_make(void);

void port_begin(struct port *port)
{
	if (port->current_packet) /* CHECK-THEN-ACT */
		return;
	spin_lock(&port->lock);
	port->current_packet = packet_make();
	spin_unlock(&port->lock);
}
