/* Readers do not wait for each other: only the writer has to keep the handler out. */
#include <linux/interrupt.h>
#include <linux/spinlock.h>

static DEFINE_RWLOCK(routes_lock);
static DEFINE_SPINLOCK(names_lock);
struct hub { int irq, routes, hits; };

static irqreturn_t hub_interrupt(int irq, void *data)
{
	struct hub *hub = data;
	read_lock(&routes_lock); /* NOIRQ-DEADLOCK */
	hub->hits += hub->routes;
	read_unlock(&routes_lock);
	return IRQ_HANDLED;
}

int hub_routes(struct hub *hub)
{
	int routes;
	read_lock(&routes_lock); /* NOIRQ-DEADLOCK */
	routes = hub->routes;
	read_unlock(&routes_lock);
	return routes;
}

void hub_add(struct hub *hub)
{
	write_lock_irq(&routes_lock); /* NOIRQ-DEADLOCK */
	hub->routes++;
	write_unlock_irq(&routes_lock);
}

int hub_open(struct hub *hub)
{
	spin_lock(&names_lock);
	hub->hits = 0;
	spin_unlock(&names_lock);
	return request_irq(hub->irq, hub_interrupt, IRQF_SHARED, "hub", hub);
}
