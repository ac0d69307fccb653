/* A driver and its neighbours in the idiom of illumos. */
#include <sys/types.h>
#include <sys/cmn_err.h>
#include <sys/ddi.h>
#include <sys/ksynch.h>
#include <sys/sunddi.h>
#include <sys/taskq.h>

typedef struct pump {
	dev_info_t *dip;
	kmutex_t lock;
	krwlock_t map_lock;
	kcondvar_t cv;
	ksema_t sema;
	ddi_intr_handle_t intr;
	ddi_taskq_t *tq;
	timeout_id_t tick;
	kthread_t *thread;
	int done, errors, ticks, map, dying, slots;
} pump_t;

static kmutex_t list_lock, stat_lock;
static disp_lock_t run_lock;
static int list_length, run_count;

/* Interrupts are threads and block for mutexes. */
static uint_t
pump_intr(caddr_t arg1, caddr_t arg2)
{
	pump_t *p = (pump_t *)arg1;
	mutex_enter(&p->lock); /* NOSLEEP */
	p->done++;
	cv_signal(&p->cv);
	mutex_exit(&p->lock);
	p->errors++; /* RACE */
	return (DDI_INTR_CLAIMED);
}

static void
pump_tick(void *arg)
{
	pump_t *p = arg;
	mutex_enter(&p->lock);
	p->ticks++; /* NORACE */
	p->errors = 0;
	p->tick = timeout(pump_tick, p, drv_usectohz(1000000));
	mutex_exit(&p->lock);
}

static void
pump_task(void *arg)
{
	pump_t *p = arg;
	mutex_enter(&p->lock);
	p->errors = 1;
	mutex_exit(&p->lock);
}

static void
pump_thread(pump_t *p)
{
	mutex_enter(&p->lock);
	while (!p->dying) {
		cv_reltimedwait(&p->cv, &p->lock, drv_usectohz(1000), TR_CLOCK_TICK); /* NOSLEEP */
		p->errors--;
	}
	mutex_exit(&p->lock);
	thread_exit();
}

static int pump_errors(pump_t *p) { int e; mutex_enter(&p->lock); e = p->errors; mutex_exit(&p->lock); return (e); }
static void pump_clear(pump_t *p) { mutex_enter(&p->lock); p->errors = 0; mutex_exit(&p->lock); }
static void pump_asserted(pump_t *p) { ASSERT(MUTEX_HELD(&p->lock)); p->errors = 2; } /* NORACE */
static int
pump_wait(pump_t *p)
{
	mutex_enter(&p->lock);
	while (p->done == 0)
		if (cv_wait_sig(&p->cv, &p->lock) == 0) {
			mutex_exit(&p->lock);
			return (EINTR); /* NOLEAK */
		}
	p->done = 0; /* NORACE */
	mutex_exit(&p->lock);
	return (0);
}

/* Memory may be waited for under a mutex, not under what spins. */
static void
pump_alloc(pump_t *p)
{
	void *buffer;
	disp_lock_enter(&run_lock);
	buffer = kmem_zalloc(64, KM_SLEEP); /* SLEEP */
	disp_lock_exit(&run_lock);
	kmem_free(buffer, 64);
}

static void
pump_alloc_repaired(pump_t *p)
{
	void *buffer;
	disp_lock_enter(&run_lock);
	buffer = kmem_zalloc(64, KM_NOSLEEP); /* NOSLEEP */
	run_count++;
	disp_lock_exit(&run_lock);
	mutex_enter(&p->lock);
	kmem_free(buffer, 64);
	buffer = kmem_zalloc(64, KM_SLEEP); /* NOSLEEP */
	mutex_exit(&p->lock);
	kmem_free(buffer, 64);
}

/* What cannot be goes no further; what only warns does. */
static void
pump_check(pump_t *p, int bad)
{
	mutex_enter(&p->lock);
	if (bad > 1)
		cmn_err(CE_PANIC, "pump: %d", bad); /* NOLEAK */
	if (bad)
		cmn_err(CE_WARN, "pump: %d", bad);
	mutex_exit(&p->lock); /* NOUNHELD */
}

/* Two orders, and one of them with a try. */
void list_then_stat(void) { mutex_enter(&list_lock); mutex_enter(&stat_lock); list_length++; mutex_exit(&stat_lock); mutex_exit(&list_lock); } /* DEADLOCK@a */
void stat_then_list(void) { mutex_enter(&stat_lock); mutex_enter(&list_lock); list_length--; mutex_exit(&list_lock); mutex_exit(&stat_lock); } /* DEADLOCK@a */
void map_then_lock(pump_t *p) { rw_enter(&p->map_lock, RW_WRITER); mutex_enter(&p->lock); p->map = 1; mutex_exit(&p->lock); rw_exit(&p->map_lock); } /* NODEADLOCK */
void
lock_then_map(pump_t *p)
{
	mutex_enter(&p->lock);
	if (rw_tryenter(&p->map_lock, RW_WRITER)) { /* NODEADLOCK */
		p->map = 2; /* NORACE */
		rw_exit(&p->map_lock);
	}
	mutex_exit(&p->lock);
}
int map_get(pump_t *p) { int m; rw_enter(&p->map_lock, RW_READER); m = p->map; rw_exit(&p->map_lock); return (m); }
int map_odd(pump_t *p) { int m; rw_enter(&p->map_lock, RW_READER); m = p->map & 1; rw_exit(&p->map_lock); return (m); }
int map_zero(pump_t *p) { int m; rw_enter(&p->map_lock, RW_READER); m = !p->map; rw_exit(&p->map_lock); return (m); }
void map_add(pump_t *p) { rw_enter(&p->map_lock, RW_WRITER); p->map++; rw_exit(&p->map_lock); }
void map_sub(pump_t *p) { rw_enter(&p->map_lock, RW_WRITER); p->map--; rw_exit(&p->map_lock); }
void map_bad(pump_t *p) { rw_enter(&p->map_lock, RW_READER); p->map = 3; rw_exit(&p->map_lock); } /* RACE */
void
map_upgrade(pump_t *p)
{
	rw_enter(&p->map_lock, RW_READER);
	if (rw_tryupgrade(&p->map_lock))
		p->map = 4; /* NORACE */
	rw_exit(&p->map_lock);
}

/* Semaphores. */
void slot_take(pump_t *p) { sema_p(&p->sema); p->slots--; sema_v(&p->sema); } /* NORACE */
void slot_give(pump_t *p) { sema_p(&p->sema); p->slots++; sema_v(&p->sema); } /* NORACE */

static int
pump_attach(dev_info_t *dip, ddi_attach_cmd_t cmd)
{
	pump_t *p = ddi_get_soft_state(pump_state, ddi_get_instance(dip));
	p->errors = 0; /* NORACE */
	mutex_init(&p->lock, NULL, MUTEX_DRIVER, DDI_INTR_PRI(p->intr));
	rw_init(&p->map_lock, NULL, RW_DRIVER, NULL);
	sema_init(&p->sema, 1, NULL, SEMA_DRIVER, NULL);
	cv_init(&p->cv, NULL, CV_DRIVER, NULL);
	(void) ddi_intr_add_handler(p->intr, pump_intr, (caddr_t)p, NULL);
	(void) ddi_taskq_dispatch(p->tq, pump_task, p, DDI_SLEEP);
	p->thread = thread_create(NULL, 0, pump_thread, p, 0, &p0, TS_RUN, minclsyspri);
	p->tick = timeout(pump_tick, p, drv_usectohz(1000000));
	return (DDI_SUCCESS);
}
static struct dev_ops pump_ops = { .devo_attach = pump_attach };

/* The handler of the timeout takes the lock that is held here. */
void pump_stop(pump_t *p) { mutex_enter(&p->lock); (void) untimeout(p->tick); mutex_exit(&p->lock); } /* DEADLOCK */
void
pump_stop_repaired(pump_t *p)
{
	timeout_id_t tick;
	mutex_enter(&p->lock);
	tick = p->tick;
	p->tick = 0;
	mutex_exit(&p->lock);
	(void) untimeout(tick); /* NODEADLOCK */
}
