/* A driver and its neighbours in the idiom of Linux, of old and of now. */
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/seqlock.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

struct queue {
	spinlock_t lock;
	struct mutex config;
	struct rw_semaphore map_sem;
	struct semaphore slots;
	seqlock_t clock;
	struct timer_list timer;
	struct work_struct work;
	struct tasklet_struct tasklet;
	struct task_struct *thread;
	unsigned long flags;
	int irq, raised, errors, map, ticks, mode, used;
};

static DEFINE_MUTEX(list_lock);
static DEFINE_MUTEX(stat_lock);
static DEFINE_SPINLOCK(fast_lock);
static int list_length, fast_count, seconds;

/* The handler, and who keeps it out. */
static irqreturn_t queue_interrupt(int irq, void *data)
{
	struct queue *q = data;
	spin_lock(&q->lock); /* IRQ-DEADLOCK@i */
	q->raised++;
	spin_unlock(&q->lock);
	tasklet_schedule(&q->tasklet);
	return IRQ_HANDLED;
}
void queue_clear(struct queue *q) { spin_lock(&q->lock); q->raised = 0; spin_unlock(&q->lock); } /* IRQ-DEADLOCK@i */
void queue_clear_repaired(struct queue *q)
{
	guard(spinlock_irqsave)(&q->lock); /* NOIRQ-DEADLOCK */
	q->raised = 0; /* NORACE */
}

static void queue_tasklet(unsigned long data) { struct queue *q = (struct queue *)data; spin_lock(&fast_lock); q->ticks++; spin_unlock(&fast_lock); } /* NORACE */
static void queue_timer(struct timer_list *t) { struct queue *q = from_timer(q, t, timer); spin_lock(&fast_lock); q->ticks = 0; fast_count++; spin_unlock(&fast_lock); } /* NORACE */
void queue_fast(struct queue *q) { spin_lock_bh(&fast_lock); q->ticks--; fast_count--; spin_unlock_bh(&fast_lock); } /* NOIRQ-DEADLOCK */
static void queue_work(struct work_struct *work)
{
	struct queue *q = container_of(work, struct queue, work);
	scoped_guard(mutex, &q->config)
		q->mode++; /* NORACE */
	mutex_lock(&q->config);
	q->errors = 0;
	mutex_unlock(&q->config);
}
static int queue_thread(void *data)
{
	struct queue *q = data;
	while (!kthread_should_stop()) {
		if (mutex_lock_interruptible(&q->config))
			continue; /* NOLEAK */
		q->mode = 0; /* NORACE */
		q->errors--;
		mutex_unlock(&q->config);
	}
	return 0;
}
int queue_errors(struct queue *q) { int e; mutex_lock(&q->config); e = q->errors; mutex_unlock(&q->config); return e; }
int queue_failed(struct queue *q) { int e; mutex_lock(&q->config); e = q->errors > 0; mutex_unlock(&q->config); return e; }
void queue_reset(struct queue *q) { mutex_lock(&q->config); q->errors = 0; mutex_unlock(&q->config); }
void queue_set(struct queue *q) { mutex_lock(&q->config); q->errors = 1; mutex_unlock(&q->config); }
void queue_asserted(struct queue *q) { lockdep_assert_held(&q->config); q->errors = 2; } /* NORACE */
void queue_bad(struct queue *q) { queue_reset(q); q->errors++; } /* RACE */
void queue_good(struct queue *q) { mutex_lock(&q->config); q->errors++; mutex_unlock(&q->config); } /* NORACE */

/* Sleeping. */
void queue_alloc(struct queue *q) { void *p; spin_lock_irq(&q->lock); p = kmalloc(64, GFP_KERNEL); spin_unlock_irq(&q->lock); kfree(p); } /* SLEEP */
void queue_alloc_repaired(struct queue *q) { void *p; spin_lock_irq(&q->lock); p = kmalloc(64, GFP_ATOMIC); spin_unlock_irq(&q->lock); kfree(p); } /* NOSLEEP */

/* Readers and writers, semaphores, sequence locks, the big lock of old. */
int map_get(struct queue *q) { int m; down_read(&q->map_sem); m = q->map; up_read(&q->map_sem); return m; } /* NORACE */
void map_set(struct queue *q) { down_write(&q->map_sem); q->map = 1; downgrade_write(&q->map_sem); up_read(&q->map_sem); } /* NORACE */
int slot_take(struct queue *q)
{
	if (down_interruptible(&q->slots))
		return -EINTR; /* NOLEAK */
	q->used++; /* NORACE */
	up(&q->slots);
	return 0;
}
int clock_get(struct queue *q)
{
	unsigned sequence;
	int now;
	do {
		sequence = read_seqbegin(&q->clock);
		now = seconds; /* NORACE */
	} while (read_seqretry(&q->clock, sequence));
	return now;
}
void clock_tick(struct queue *q) { write_seqlock(&q->clock); seconds++; write_sequnlock(&q->clock); } /* NORACE */
void big_then_list(void) { lock_kernel(); mutex_lock(&list_lock); list_length = 0; mutex_unlock(&list_lock); unlock_kernel(); } /* NODEADLOCK */
void list_then_big(void) { mutex_lock(&list_lock); lock_kernel(); list_length = 1; unlock_kernel(); mutex_unlock(&list_lock); } /* NODEADLOCK */

/* Two orders, and a try. */
void list_then_stat(void) { mutex_lock(&list_lock); mutex_lock(&stat_lock); list_length++; mutex_unlock(&stat_lock); mutex_unlock(&list_lock); } /* DEADLOCK@a */
void stat_then_list(void) { mutex_lock(&stat_lock); mutex_lock(&list_lock); list_length--; mutex_unlock(&list_lock); mutex_unlock(&stat_lock); } /* DEADLOCK@a */
void config_then_map(struct queue *q) { mutex_lock(&q->config); down_write(&q->map_sem); q->map = 2; up_write(&q->map_sem); mutex_unlock(&q->config); } /* NODEADLOCK */
void map_then_config(struct queue *q)
{
	down_write(&q->map_sem);
	if (mutex_trylock(&q->config)) { /* NODEADLOCK */
		q->map = 3; /* NORACE */
		mutex_unlock(&q->config);
	}
	up_write(&q->map_sem);
}

SYSCALL_DEFINE1(queue_length, int __user *, where)
{
	int n;
	mutex_lock(&list_lock);
	n = list_length; /* NORACE */
	mutex_unlock(&list_lock);
	return put_user(n, where);
}

static int __init queue_init(void)
{
	struct queue *q = kzalloc(sizeof(*q), GFP_KERNEL);
	if (!q)
		return -ENOMEM;
	spin_lock_init(&q->lock);
	mutex_init(&q->config);
	init_rwsem(&q->map_sem);
	sema_init(&q->slots, 1);
	seqlock_init(&q->clock);
	timer_setup(&q->timer, queue_timer, 0);
	INIT_WORK(&q->work, queue_work);
	tasklet_init(&q->tasklet, queue_tasklet, (unsigned long)q);
	q->thread = kthread_run(queue_thread, q, "queue");
	return request_irq(q->irq, queue_interrupt, IRQF_SHARED, "queue", q);
}
module_init(queue_init);

/* The ends of what takes the lock. */
void queue_stop(struct queue *q) { mutex_lock(&q->config); cancel_work_sync(&q->work); mutex_unlock(&q->config); } /* DEADLOCK */
void queue_stop_repaired(struct queue *q) { cancel_work_sync(&q->work); mutex_lock(&q->config); q->mode = 2; mutex_unlock(&q->config); } /* NODEADLOCK */
