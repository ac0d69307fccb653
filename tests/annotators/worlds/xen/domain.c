/* Pieces of a hypervisor in the idiom of Xen. */
#include <xen/sched.h>
#include <xen/softirq.h>
#include <xen/spinlock.h>
#include <xen/timer.h>

struct vdev { spinlock_t lock; rwlock_t map_lock; struct timer timer; struct tasklet tasklet; int irq, raised, errors, map, ticks; };

static DEFINE_SPINLOCK(list_lock);
static DEFINE_SPINLOCK(stat_lock);
static DEFINE_RWLOCK(table_lock);
static DEFINE_PER_CPU(unsigned int, local_events);
static int list_length, table_size;

/* The interrupt handler, and who keeps it out. */
static void vdev_interrupt(int irq, void *data)
{
    struct vdev *v = data;

    spin_lock(&v->lock); /* IRQ-DEADLOCK@i */
    v->raised++;
    spin_unlock(&v->lock);
    raise_softirq(VDEV_SOFTIRQ);
}

void vdev_clear(struct vdev *v)
{
    spin_lock(&v->lock); /* IRQ-DEADLOCK@i */
    v->raised = 0;
    spin_unlock(&v->lock);
}

void vdev_clear_repaired(struct vdev *v)
{
    unsigned long flags;

    spin_lock_irqsave(&v->lock, flags); /* NOIRQ-DEADLOCK */
    v->raised = 0; /* NORACE */
    spin_unlock_irqrestore(&v->lock, flags);
}

/* Timers, tasklets and soft interrupts wait their turn: no need to keep them out, but to lock. */
static void vdev_timer(void *data)
{
    struct vdev *v = data;

    write_lock(&v->map_lock); /* NOIRQ-DEADLOCK */
    v->ticks++; /* NORACE */
    write_unlock(&v->map_lock);
    set_timer(&v->timer, NOW() + SECONDS(1));
}

static void vdev_tasklet(void *data) { struct vdev *v = data; write_lock(&v->map_lock); v->ticks = 0; write_unlock(&v->map_lock); } /* NORACE */
static void vdev_softirq(void) { this_cpu(local_events)++; } /* NORACE */

/* Readers and writers. */
int map_get(struct vdev *v) { int m; read_lock(&v->map_lock); m = v->map; read_unlock(&v->map_lock); return m; }
int map_odd(struct vdev *v) { int m; read_lock(&v->map_lock); m = v->map & 1; read_unlock(&v->map_lock); return m; }
int map_zero(struct vdev *v) { int m; read_lock(&v->map_lock); m = !v->map; read_unlock(&v->map_lock); return m; }
void map_add(struct vdev *v) { write_lock(&v->map_lock); v->map++; write_unlock(&v->map_lock); }
void map_sub(struct vdev *v) { write_lock(&v->map_lock); v->map--; write_unlock(&v->map_lock); }
void map_set(struct vdev *v) { write_lock(&v->map_lock); v->map = 2; write_unlock(&v->map_lock); }
void map_bad(struct vdev *v) { read_lock(&v->map_lock); v->map = 3; read_unlock(&v->map_lock); } /* RACE */
void map_good(struct vdev *v) { write_lock(&v->map_lock); v->map = 4; write_unlock(&v->map_lock); } /* NORACE */

int vdev_errors(struct vdev *v) { int e; read_lock(&table_lock); e = v->errors; read_unlock(&table_lock); return e; }
int map_try(struct vdev *v)
{
    if ( !write_trylock(&v->map_lock) )
        return -EBUSY; /* NOLEAK */
    v->map = 5; /* NORACE */
    write_unlock(&v->map_lock);
    return 0;
}

/* Two orders; a try breaks one; recursive locks nest. */
void list_then_stat(void) { spin_lock(&list_lock); spin_lock(&stat_lock); list_length++; spin_unlock(&stat_lock); spin_unlock(&list_lock); } /* DEADLOCK@a */
void stat_then_list(void) { spin_lock(&stat_lock); spin_lock(&list_lock); list_length--; spin_unlock(&list_lock); spin_unlock(&stat_lock); } /* DEADLOCK@a */
void list_then_table(void) { spin_lock(&list_lock); write_lock(&table_lock); table_size++; write_unlock(&table_lock); spin_unlock(&list_lock); } /* NODEADLOCK */
void table_then_list(void)
{
    write_lock(&table_lock);
    if ( spin_trylock(&list_lock) ) /* NODEADLOCK */
    {
        table_size--; /* NORACE */
        spin_unlock(&list_lock);
    }
    write_unlock(&table_lock);
}
void nested(struct domain *d) { rspin_lock(&d->page_alloc_lock); rspin_lock(&d->page_alloc_lock); rspin_unlock(&d->page_alloc_lock); rspin_unlock(&d->page_alloc_lock); } /* NODOUBLE-LOCK */

/* Hypercalls come from all processors. */
long do_vdev_op(int cmd, XEN_GUEST_HANDLE_PARAM(void) arg)
{
    struct vdev_op op;
    struct domain *d;

    if ( copy_from_guest(&op, arg, 1) )
        return -EFAULT;
    d = rcu_lock_domain_by_any_id(op.domid);
    if ( d == NULL )
        return -ESRCH;
    if ( cmd == 1 && !d->vdev )
    {
        rcu_unlock_domain(d);
        return -ENODEV; /* NOLEAK */
    }
    domain_pause(d);
    d->vdev->errors++;
    domain_unpause(d);
    rcu_unlock_domain(d);
    return copy_to_guest(arg, &op, 1) ? -EFAULT : 0;
}

static int __init vdev_init(void)
{
    struct vdev *v = xzalloc(struct vdev);

    ASSERT(v);
    spin_lock_init(&v->lock);
    rwlock_init(&v->map_lock);
    init_timer(&v->timer, vdev_timer, v, 0);
    tasklet_init(&v->tasklet, vdev_tasklet, v);
    open_softirq(VDEV_SOFTIRQ, vdev_softirq);
    if ( request_irq(v->irq, 0, vdev_interrupt, "vdev", v) )
        xfree(v);
    return 0;
}
__initcall(vdev_init);

/* The end of the timer must not be waited for under the lock it takes. */
void vdev_stop(struct vdev *v) { write_lock(&v->map_lock); kill_timer(&v->timer); write_unlock(&v->map_lock); } /* DEADLOCK */
void vdev_stop_repaired(struct vdev *v) { kill_timer(&v->timer); write_lock(&v->map_lock); v->map = 0; write_unlock(&v->map_lock); } /* NODEADLOCK */
