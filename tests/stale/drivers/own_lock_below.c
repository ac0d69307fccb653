/* A helper two calls below takes the lock and lets it go, when it is told to: nothing is held after it. */
#include <linux/spinlock.h>

struct port { spinlock_t lock; int *worker; int users; };
extern int *port_make(struct port *port);

static void port_count(struct port *port, int locked)
{
	if (!locked)
		spin_lock(&port->lock);
	port->users++;
	if (!locked)
		spin_unlock(&port->lock);
}

static void port_set_up(struct port *port, int locked)
{
	if (!locked)
		spin_lock(&port->lock);
	port_count(port, 1);
	if (!locked)
		spin_unlock(&port->lock);
}

static int *port_create(struct port *port)
{
	port_set_up(port, 0);
	return port_make(port);
}

int port_resolve(struct port *port)
{
	if (!port->worker)
		port->worker = port_create(port); /* NOCHECK-THEN-ACT */
	return 0;
}

void port_drop(struct port *port)
{
	spin_lock(&port->lock);
	port->worker = 0;
	spin_unlock(&port->lock);
}
