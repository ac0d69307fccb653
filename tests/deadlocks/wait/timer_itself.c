// racerx: --preset c --preset linux
/* The watchdog's timer resets the port when it hangs, and a reset stops the watchdog: the timer waits for its own end. */
struct port { struct timer_list watchdog; int hung; int resets; };

static void port_quiet(struct port *port)
{
	port->hung = 0;
	del_timer_sync(&port->watchdog); /* DEADLOCK */
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
		port_reset(port);
	else
		mod_timer(&port->watchdog, jiffies + HZ);
}

void port_open(struct port *port)
{
	timer_setup(&port->watchdog, port_watchdog, 0);
	mod_timer(&port->watchdog, jiffies + HZ);
}

void port_close(struct port *port)
{
	del_timer_sync(&port->watchdog); /* NODEADLOCK */
}
