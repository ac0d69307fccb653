/* Pieces of a kernel in the idiom of Mach. */
#include <kern/lock.h>
#include <kern/sched_prim.h>
#include <kern/thread.h>

struct port { simple_lock_data_t lock; int refs, messages, seqno, waiting; };
struct space { lock_data_t lock_data; int size, users; };
struct irqdev { simple_lock_irq_data_t lock; int pending, mask; };

static simple_lock_data_t list_lock, stat_lock;
static struct space map;
static struct irqdev dev;
static struct timer_elt { void (*fcn)(void *); void *param; } tick;
static int list_length, level_count;

/* A queue behind a lock that spins. */
void port_send(struct port *p) { simple_lock(&p->lock); p->messages++; p->seqno++; simple_unlock(&p->lock); }
void port_take(struct port *p) { simple_lock(&p->lock); p->messages--; simple_unlock(&p->lock); }
int port_count(struct port *p) { int n; simple_lock(&p->lock); n = p->messages; simple_unlock(&p->lock); return n; }
void port_clear(struct port *p) { simple_lock(&p->lock); p->messages = 0; simple_unlock(&p->lock); }
void port_reset(struct port *p) { simple_lock(&p->lock); p->messages = 0; simple_unlock(&p->lock); }
void port_poke(struct port *p) { simple_lock(&p->lock); p->seqno++; simple_unlock(&p->lock); p->messages++; } /* RACE */
void port_poke_repaired(struct port *p) { simple_lock(&p->lock); p->seqno++; p->messages++; simple_unlock(&p->lock); } /* NORACE */
int
port_try(struct port *p)
{
	if (!simple_lock_try(&p->lock))
		return 0; /* NOLEAK */
	p->messages++; /* NORACE */
	simple_unlock(&p->lock);
	return 1;
}

/* thread_sleep lets go of the lock and does not take it back. */
void
port_wait(struct port *p)
{
	simple_lock(&p->lock);
	while (p->waiting) {
		thread_sleep((event_t) p, &p->lock, TRUE); /* NOSLEEP */
		simple_lock(&p->lock); /* NODOUBLE-LOCK */
	}
	p->waiting = 1; /* NORACE */
	simple_unlock(&p->lock); /* NOUNHELD */
}

void
port_block(struct port *p)
{
	simple_lock(&p->lock);
	p->waiting = 0; /* NORACE */
	assert_wait((event_t) p, TRUE);
	thread_block((void (*)(void)) 0); /* SLEEP */
	simple_unlock(&p->lock);
}

void
port_block_repaired(struct port *p)
{
	simple_lock(&p->lock);
	p->waiting = 0; /* NORACE */
	assert_wait((event_t) p, TRUE);
	simple_unlock(&p->lock);
	thread_block((void (*)(void)) 0); /* NOSLEEP */
	thread_wakeup((event_t) p);
}

/* Readers and writers sleep. */
int space_size(void) { int n; lock_read(&map.lock_data); n = map.size; lock_done(&map.lock_data); return n; }
int space_odd(void) { int n; lock_read(&map.lock_data); n = map.size & 1; lock_done(&map.lock_data); return n; }
int space_full(void) { int n; lock_read(&map.lock_data); n = map.size > 9; lock_done(&map.lock_data); return n; }
void space_grow(void) { lock_write(&map.lock_data); map.size++; lock_done(&map.lock_data); }
void space_shrink(void) { lock_write(&map.lock_data); map.size--; lock_done(&map.lock_data); }
void space_clear(void) { lock_write(&map.lock_data); map.size = 0; lock_write_to_read(&map.lock_data); lock_done(&map.lock_data); }
void space_bad(void) { lock_read(&map.lock_data); map.size = 7; lock_done(&map.lock_data); } /* RACE */
void
space_upgrade(void)
{
	lock_read(&map.lock_data);
	if (lock_read_to_write(&map.lock_data))
		return; /* TODO NOLEAK: a release that depends on what the call returns cannot be said */
	map.size = 8; /* NORACE */
	lock_done(&map.lock_data);
}
void space_under_lock(struct port *p) { simple_lock(&p->lock); lock_write(&map.lock_data); map.users = 0; lock_done(&map.lock_data); simple_unlock(&p->lock); } /* SLEEP */

/* Interrupts: a level, or a lock that raises it. */
void
dev_intr(int unit)
{
	simple_lock(&dev.lock); /* IRQ-DEADLOCK@i */
	dev.pending++; /* NORACE */
	simple_unlock(&dev.lock);
	level_count++; /* NORACE */
}
void dev_mask(void) { simple_lock(&dev.lock); dev.mask = 1; simple_unlock(&dev.lock); } /* IRQ-DEADLOCK@i */
void dev_mask_repaired(void) { spl_t s = splhigh(); simple_lock(&dev.lock); dev.mask = 0; simple_unlock(&dev.lock); splx(s); } /* NOIRQ-DEADLOCK */
void level_up(void) { spl_t s = splsched(); level_count = 0; splx(s); } /* NORACE */

/* Two orders. */
void list_then_stat(void) { simple_lock(&list_lock); simple_lock(&stat_lock); list_length++; simple_unlock(&stat_lock); simple_unlock(&list_lock); } /* DEADLOCK@a */
void stat_then_list(void) { simple_lock(&stat_lock); simple_lock(&list_lock); list_length--; simple_unlock(&list_lock); simple_unlock(&stat_lock); } /* DEADLOCK@a */

/* What runs by itself. */
static void reaper(void) { for (;;) { space_shrink(); thread_block(reaper); } }
static void tick_handler(void *arg) { thread_wakeup((event_t) arg); }
void start(struct port *p) { kernel_thread(kernel_task, "reaper", reaper, 0); timeout(tick_handler, p, 100); current_thread(); kalloc(16); }
