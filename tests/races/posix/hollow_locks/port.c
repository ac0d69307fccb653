#include "compat.h"

struct port { int lock, other, frames, errors; };
static unsigned long flags;

void port_send(struct port *p) { spin_lock(&p->lock); p->frames++; spin_unlock(&p->lock); }
void port_take(struct port *p) { spin_lock(&p->lock); p->frames--; spin_unlock(&p->lock); }
void port_seen(struct port *p) { spin_lock_irqsave(&p->lock, flags); p->frames = 0; spin_unlock_irqrestore(&p->lock, flags); }
void port_more(struct port *p) { spin_lock(&p->lock); p->frames += 2; spin_unlock(&p->lock); }
void port_bare(struct port *p) { p->frames++; } /* TODO NORACE: a lock that a port defines away is still taken for one */
