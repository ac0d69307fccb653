/* slides_contrived.c with everything inside. */
#include <linux/spinlock.h>

struct port { int opens; };
static DEFINE_SPINLOCK(a);
static int x;

static void foo(void) { x--; /* NORACE */ }

static void contrived(int *p)
{
	spin_lock(&a);
	x++; /* NORACE */
	(*p)++; /* NORACE */
	foo();
	spin_unlock(&a);
}

void port_open(struct port *port) { contrived(&port->opens); }
void port_close(struct port *port) { spin_lock(&a); port->opens--; /* NORACE */ spin_unlock(&a); }
void port_reset(struct port *port) { spin_lock(&a); port->opens = 0; /* NORACE */ spin_unlock(&a); }
void x_add(int n) { spin_lock(&a); x += n; /* NORACE */ spin_unlock(&a); }
void x_clear(void) { spin_lock(&a); x = 0; /* NORACE */ spin_unlock(&a); }
