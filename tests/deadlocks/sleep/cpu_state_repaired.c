/* The CPU's state below calls: through a table with many entries nobody knows who is called, and an allocator is judged
 * by what is declared of it, not by its body. */
#include <linux/delay.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct lamp { int level; };
struct lamp_ops { void (*dim)(struct lamp *lamp); };

static void lamp_wait(struct lamp *lamp) { msleep(lamp->level); } /* NOSLEEP */
static void dim_a(struct lamp *lamp) { lamp->level = 1; }
static void dim_b(struct lamp *lamp) { lamp->level = 2; }
static void dim_c(struct lamp *lamp) { lamp->level = 3; }
static void dim_d(struct lamp *lamp) { lamp->level = 4; }
static void dim_e(struct lamp *lamp) { lamp->level = 5; }
static void dim_slow(struct lamp *lamp) { msleep(5); } /* NOSLEEP */
static const struct lamp_ops lamps[] = {{dim_a}, {dim_b}, {dim_c}, {dim_d}, {dim_e}, {dim_slow}};

void lamp_dim(struct lamp *lamp, const struct lamp_ops *ops)
{
	unsigned long flags;
	local_irq_save(flags);
	ops->dim(lamp);
	local_irq_restore(flags);
}

void lamp_flicker(struct lamp *lamp)
{
	unsigned long flags;
	local_irq_save(flags);
	lamp->level = 0;
	local_irq_restore(flags);
	lamp_wait(lamp);
}

void *kmalloc(size_t size, gfp_t flags)
{
	if (flags & __GFP_DIRECT_RECLAIM)
		msleep(1); /* NOSLEEP */
	return 0;
}

void *lamp_copy(struct lamp *lamp)
{
	void *copy;
	preempt_disable();
	copy = kmalloc(sizeof *lamp, GFP_ATOMIC); /* NOSLEEP */
	preempt_enable();
	return copy;
}

static void lamp_mute(void) { local_irq_disable(); }

void lamp_halt(struct lamp *lamp) /* nobody turns them on again: not a convention to go by */
{
	lamp_mute();
	msleep(9); /* NOSLEEP */
	lamp->level = 0;
}
