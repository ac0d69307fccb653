// racerx: --race-mode simple
/* The simple mode flags globals only. */
#include <linux/spinlock.h>

struct port { int opens; };
static DEFINE_SPINLOCK(a);
static int x;

static void foo(void) { x--; }

static void contrived(int *p)
{
	x++; /* RACE */
	(*p)++; /* NORACE */
	spin_lock(&a);
	foo();
	spin_unlock(&a);
}

void port_open(struct port *port) { contrived(&port->opens); }
void port_close(struct port *port) { spin_lock(&a); port->opens--; spin_unlock(&a); }
void port_reset(struct port *port) { spin_lock(&a); port->opens = 0; spin_unlock(&a); }
void port_hangup(struct port *port) { spin_lock(&a); port->opens = -1; spin_unlock(&a); }
void x_add(int n) { spin_lock(&a); x += n; spin_unlock(&a); }
void x_clear(void) { spin_lock(&a); x = 0; spin_unlock(&a); }
