// racerx: --preset c --preset linux
/* The watchdog only marks a hanging port; who resets it, and stops the watchdog, is the one who opens it again. */
struct port { struct timer_list watchdog; int hung; int resets; };

static void port_quiet(struct port *port)
{
	port->hung = 0;
	del_timer_sync(&port->watchdog); /* NODEADLOCK */
}

static void port_reset(struct port *port)
{
	port->resets++;
	port_quiet(port);
}

static void port_watchdog(struct timer_list *timer)
{
	struct port *port = from_timer(port, timer, watchdog);
	if (port->hung > 3)
		port->hung = 99;
	else
		mod_timer(&port->watchdog, jiffies + HZ);
}

void port_again(struct port *port) { port_reset(port); }

void port_open(struct port *port)
{
	timer_setup(&port->watchdog, port_watchdog, 0);
	mod_timer(&port->watchdog, jiffies + HZ);
}

void port_close(struct port *port)
{
	del_timer_sync(&port->watchdog); /* NODEADLOCK */
}
