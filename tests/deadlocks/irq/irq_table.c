/* A handler that may be called through a wide table makes no handler of what is in it; one that is called by name does. */
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct port { spinlock_t lock; spinlock_t stats; int irq, bytes; };
struct port_ops { void (*kick)(struct port *port); };

static void port_count(struct port *port)
{
	spin_lock(&port->lock); /* IRQ-DEADLOCK@a */
	port->bytes++;
	spin_unlock(&port->lock);
}

static void kick_a(struct port *port) { port->bytes = 1; }
static void kick_b(struct port *port) { port->bytes = 2; }
static void kick_c(struct port *port) { port->bytes = 3; }
static void kick_d(struct port *port) { port->bytes = 4; }
static void kick_e(struct port *port)
{
	spin_lock(&port->stats); /* NOIRQ-DEADLOCK */
	port->bytes = 5;
	spin_unlock(&port->stats);
}
static const struct port_ops kicks[] = {{kick_a}, {kick_b}, {kick_c}, {kick_d}, {kick_e}};

static irqreturn_t port_interrupt(int irq, void *data)
{
	port_count(data);
	kicks[irq].kick(data);
	return IRQ_HANDLED;
}

long port_ioctl(struct port *port)
{
	int bytes;
	spin_lock(&port->lock); /* IRQ-DEADLOCK@a */
	bytes = port->bytes;
	spin_unlock(&port->lock);
	spin_lock(&port->stats); /* NOIRQ-DEADLOCK */
	bytes++;
	spin_unlock(&port->stats);
	return bytes;
}

int port_open(struct port *port)
{
	return request_irq(port->irq, port_interrupt, 0, "port", port);
}
