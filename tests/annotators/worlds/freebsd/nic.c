/* A network driver and its neighbours in the idiom of FreeBSD. */
#include <sys/param.h>
#include <sys/bus.h>
#include <sys/callout.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/rwlock.h>
#include <sys/sx.h>
#include <sys/taskqueue.h>

struct nic_softc {
	device_t dev;
	struct mtx mtx;
	struct mtx intr_mtx;
	struct sx config;
	struct callout tick, watchdog;
	struct task reset;
	struct resource *irq;
	void *cookie;
	int packets, errors, ticks, resets, ready, mode, level;
};

#define NIC_LOCK(sc) mtx_lock(&(sc)->mtx)
#define NIC_UNLOCK(sc) mtx_unlock(&(sc)->mtx)
#define NIC_LOCK_ASSERT(sc) mtx_assert(&(sc)->mtx, MA_OWNED)

static struct mtx list_mtx;
static struct sx global_sx;
static struct rwlock table_lock;
static struct mtx stat_mtx;
static int table_size, table_users, list_length, generation;
MTX_SYSINIT(list, &list_mtx, "nic list", MTX_DEF);

/* The filter interrupts; what it shares is behind a spinning mutex. */
static int
nic_filter(void *arg)
{
	struct nic_softc *sc = arg;
	mtx_lock_spin(&sc->intr_mtx);
	sc->level++; /* NORACE */
	mtx_unlock_spin(&sc->intr_mtx);
	return (FILTER_SCHEDULE_THREAD);
}

static int
nic_level(struct nic_softc *sc)
{
	int level;
	mtx_lock_spin(&sc->intr_mtx);
	level = sc->level;
	mtx_unlock_spin(&sc->intr_mtx);
	return (level);
}

/* The handler is a thread: it may block for a mutex, and not sleep. */
static void
nic_intr(void *arg)
{
	struct nic_softc *sc = arg;
	NIC_LOCK(sc);
	sc->packets++;
	sc->ready = 1;
	wakeup(&sc->ready);
	NIC_UNLOCK(sc);
	sc->errors++; /* RACE */
}

static void
nic_tick(void *arg)
{
	struct nic_softc *sc = arg;
	NIC_LOCK(sc);
	sc->ticks++;
	sc->errors = 0;
	callout_reset(&sc->tick, hz, nic_tick, sc);
	NIC_UNLOCK(sc);
}

/* This callout was made with the mutex: it runs with it held. */
static void
nic_watchdog(void *arg)
{
	struct nic_softc *sc = arg;
	sc->errors = 3; /* TODO NORACE: the lock that callout_init_mtx gives a callout is not known to its handler */
}

static void
nic_reset_task(void *arg, int pending)
{
	struct nic_softc *sc = arg;
	sx_xlock(&sc->config);
	NIC_LOCK(sc);
	sc->resets++; /* NORACE */
	sc->errors = 0;
	NIC_UNLOCK(sc);
	sx_xunlock(&sc->config);
}

static int nic_errors(struct nic_softc *sc) { int e; NIC_LOCK(sc); e = sc->errors; NIC_UNLOCK(sc); return (e); }
static void nic_clear(struct nic_softc *sc) { NIC_LOCK(sc); sc->errors = 0; NIC_UNLOCK(sc); }
static void nic_failed(struct nic_softc *sc) { NIC_LOCK(sc); sc->errors++; NIC_UNLOCK(sc); }

/* Waits let the mutex go, and with PDROP for good. */
static int
nic_wait(struct nic_softc *sc)
{
	int error = 0;
	NIC_LOCK(sc);
	while (!sc->ready && !error)
		error = mtx_sleep(&sc->ready, &sc->mtx, PCATCH, "nicwt", hz); /* NOSLEEP */
	sc->ready = 0;
	NIC_UNLOCK(sc);
	return (error);
}

static int
nic_drop(struct nic_softc *sc)
{
	NIC_LOCK(sc);
	return (msleep(&sc->ready, &sc->mtx, PDROP, "nicdr", 0)); /* NOLEAK */
}

static void
nic_alloc(struct nic_softc *sc)
{
	char *buffer;
	NIC_LOCK(sc);
	buffer = malloc(128, M_DEVBUF, M_WAITOK | M_ZERO); /* SLEEP */
	NIC_UNLOCK(sc);
	free(buffer, M_DEVBUF);
}

static void
nic_alloc_repaired(struct nic_softc *sc)
{
	char *buffer;
	NIC_LOCK(sc);
	buffer = malloc(128, M_DEVBUF, M_NOWAIT); /* NOSLEEP */
	NIC_UNLOCK(sc);
	free(buffer, M_DEVBUF);
	sx_xlock(&sc->config);
	buffer = malloc(128, M_DEVBUF, M_WAITOK); /* NOSLEEP */
	sx_xunlock(&sc->config);
	free(buffer, M_DEVBUF);
}

/* Two orders of two global locks. */
void
list_then_stat(void)
{
	mtx_lock(&list_mtx);
	mtx_lock(&stat_mtx); /* DEADLOCK@a */
	list_length++;
	mtx_unlock(&stat_mtx);
	mtx_unlock(&list_mtx);
}

void
stat_then_list(void)
{
	mtx_lock(&stat_mtx);
	mtx_lock(&list_mtx); /* DEADLOCK@a */
	list_length--;
	mtx_unlock(&list_mtx);
	mtx_unlock(&stat_mtx);
}

void
stat_then_try(void)
{
	sx_xlock(&global_sx);
	if (mtx_trylock(&list_mtx)) {
		list_length = 0; /* NORACE */
		mtx_unlock(&list_mtx);
	}
	sx_xunlock(&global_sx);
}

void
list_then_global(void)
{
	sx_slock(&global_sx); /* NODEADLOCK */
	mtx_lock(&list_mtx); /* NODEADLOCK */
	generation++;
	mtx_unlock(&list_mtx);
	sx_sunlock(&global_sx);
}

/* Readers and writers, and what only a writer may do. */
int table_get(void) { int n; rw_rlock(&table_lock); n = table_size; rw_runlock(&table_lock); return (n); } /* NORACE */
void table_grow(void) { rw_wlock(&table_lock); table_size++; table_users = 0; rw_wunlock(&table_lock); } /* NORACE */
void table_shrink(void) { rw_wlock(&table_lock); table_size--; table_users = 1; rw_wunlock(&table_lock); }
void table_reset(void) { rw_wlock(&table_lock); table_size = 0; table_users = 2; rw_wunlock(&table_lock); }
void table_fill(void) { rw_wlock(&table_lock); table_size = 9; table_users = 3; rw_wunlock(&table_lock); }
int table_idle(void) { int n; rw_rlock(&table_lock); n = !table_users; rw_runlock(&table_lock); return (n); }
int table_busy(void) { int n; rw_rlock(&table_lock); n = table_users > 1; rw_runlock(&table_lock); return (n); }
int table_full(void) { int n; rw_rlock(&table_lock); n = table_users > 99; rw_runlock(&table_lock); return (n); }
void table_enter(void) { rw_rlock(&table_lock); table_users++; rw_runlock(&table_lock); } /* RACE */
void
table_enter_repaired(void)
{
	rw_rlock(&table_lock);
	if (!rw_try_upgrade(&table_lock)) {
		rw_runlock(&table_lock);
		rw_wlock(&table_lock);
	}
	table_users++; /* NORACE */
	rw_wunlock(&table_lock);
}

/* Giant is let go by who sleeps: no order follows. */
void giant_then_sx(void) { mtx_lock(&Giant); sx_xlock(&global_sx); generation++; sx_xunlock(&global_sx); mtx_unlock(&Giant); } /* NODEADLOCK */
void sx_then_giant(void) { sx_xlock(&global_sx); mtx_lock(&Giant); generation--; mtx_unlock(&Giant); sx_xunlock(&global_sx); } /* NODEADLOCK */

static int
nic_attach(device_t dev)
{
	struct nic_softc *sc = device_get_softc(dev);
	sc->mode = 1; /* NORACE */
	mtx_init(&sc->mtx, device_get_nameunit(dev), MTX_NETWORK_LOCK, MTX_DEF);
	mtx_init(&sc->intr_mtx, "nic intr", NULL, MTX_SPIN);
	sx_init(&sc->config, "nic config");
	callout_init(&sc->tick, 1);
	callout_init_mtx(&sc->watchdog, &sc->mtx, 0);
	TASK_INIT(&sc->reset, 0, nic_reset_task, sc);
	callout_reset(&sc->tick, hz, nic_tick, sc);
	callout_reset(&sc->watchdog, hz, nic_watchdog, sc);
	return (bus_setup_intr(dev, sc->irq, INTR_TYPE_NET | INTR_MPSAFE, nic_filter, nic_intr, sc, &sc->cookie));
}

/* The callout takes the mutex that its end is waited for under. */
static void
nic_stop(struct nic_softc *sc)
{
	NIC_LOCK(sc);
	callout_drain(&sc->tick); /* DEADLOCK */
	NIC_UNLOCK(sc);
}

static int
nic_detach(device_t dev)
{
	struct nic_softc *sc = device_get_softc(dev);
	bus_teardown_intr(dev, sc->irq, sc->cookie);
	callout_drain(&sc->tick); /* NODEADLOCK */
	taskqueue_drain(taskqueue_thread, &sc->reset); /* NODEADLOCK */
	mtx_destroy(&sc->mtx);
	return (0);
}
