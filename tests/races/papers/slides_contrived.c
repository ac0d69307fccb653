// racerx-verdict: shown
/* The slides' contrived(): a global and what a parameter points to are touched before the lock is taken. */
#include <linux/spinlock.h>

struct port { int opens; };
static DEFINE_SPINLOCK(a);
static int x;

static void foo(void) { x--; }

static void contrived(int *p)
{
	x++; /* RACE */
	(*p)++; /* RACE */
	spin_lock(&a);
	foo();
	spin_unlock(&a);
}

void port_open(struct port *port) { contrived(&port->opens); }
void port_close(struct port *port) { spin_lock(&a); port->opens--; spin_unlock(&a); }
void port_reset(struct port *port) { spin_lock(&a); port->opens = 0; spin_unlock(&a); }
void port_hangup(struct port *port) { spin_lock(&a); port->opens = -1; spin_unlock(&a); }
void port_reopen(struct port *port) { spin_lock(&a); port->opens++; spin_unlock(&a); }
int port_busy(struct port *port) { int busy; spin_lock(&a); busy = port->opens > 1; spin_unlock(&a); return busy; }
int port_used(struct port *port) { int used; spin_lock(&a); used = port->opens; spin_unlock(&a); return used; }
void port_swap(struct port *port) { spin_lock(&a); port->opens ^= 1; spin_unlock(&a); }
void port_limit(struct port *port) { spin_lock(&a); if (port->opens > 9) port->opens = 9; spin_unlock(&a); }
void x_add(int n) { spin_lock(&a); x += n; spin_unlock(&a); }
void x_clear(void) { spin_lock(&a); x = 0; spin_unlock(&a); }
int x_get(void) { int value; spin_lock(&a); value = x; spin_unlock(&a); return value; }
