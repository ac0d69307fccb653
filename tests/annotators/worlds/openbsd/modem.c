/* A driver and its neighbours in the idiom of OpenBSD. */
#include <sys/param.h>
#include <sys/device.h>
#include <sys/kthread.h>
#include <sys/mutex.h>
#include <sys/rwlock.h>
#include <sys/task.h>
#include <sys/timeout.h>

struct modem_softc {
	struct device sc_dev;
	struct mutex sc_mtx;
	struct rwlock sc_lock;
	struct timeout sc_tick;
	struct task sc_task;
	struct proc *sc_proc;
	void *sc_ih, *sc_soft;
	int sc_bytes, sc_errors, sc_ready, sc_config, sc_queue, sc_dying;
};

static struct mutex list_mtx = MUTEX_INITIALIZER(IPL_TTY), stat_mtx = MUTEX_INITIALIZER(IPL_TTY);
static struct rwlock config_lock = RWLOCK_INITIALIZER("config");
static int list_length, stat_total, route_count;

/* A mutex keeps out the interrupts that take it. */
int
modem_intr(void *arg)
{
	struct modem_softc *sc = arg;
	mtx_enter(&sc->sc_mtx); /* NOIRQ-DEADLOCK */
	sc->sc_bytes++;
	sc->sc_ready = 1;
	mtx_leave(&sc->sc_mtx);
	sc->sc_errors++; /* RACE */
	return 1;
}

void
modem_tick(void *arg)
{
	struct modem_softc *sc = arg;
	mtx_enter(&sc->sc_mtx);
	sc->sc_errors = 0;
	wakeup(&sc->sc_ready);
	mtx_leave(&sc->sc_mtx);
	timeout_add_sec(&sc->sc_tick, 1);
}

void
modem_task(void *arg)
{
	struct modem_softc *sc = arg;
	rw_enter_write(&sc->sc_lock); /* NOSLEEP */
	sc->sc_config++; /* NORACE */
	rw_exit_write(&sc->sc_lock);
}

void
modem_thread(void *arg)
{
	struct modem_softc *sc = arg;
	while (!sc->sc_dying) {
		mtx_enter(&sc->sc_mtx); /* NOIRQ-DEADLOCK */
		sc->sc_errors--;
		while (!sc->sc_ready)
			msleep_nsec(&sc->sc_ready, &sc->sc_mtx, PWAIT, "modem", INFSLP); /* NOSLEEP */
		sc->sc_ready = 0;
		mtx_leave(&sc->sc_mtx);
	}
	kthread_exit(0);
}

int modem_errors(struct modem_softc *sc) { int e; mtx_enter(&sc->sc_mtx); e = sc->sc_errors; mtx_leave(&sc->sc_mtx); return e; }
void modem_clear(struct modem_softc *sc) { mtx_enter(&sc->sc_mtx); sc->sc_errors = 0; mtx_leave(&sc->sc_mtx); }
int modem_bytes(struct modem_softc *sc) { int b; mtx_enter(&sc->sc_mtx); b = sc->sc_bytes; mtx_leave(&sc->sc_mtx); return b; } /* NORACE */

/* Sleeping under a mutex. */
void
modem_open(struct modem_softc *sc)
{
	char *buffer;
	mtx_enter(&sc->sc_mtx);
	buffer = malloc(64, M_DEVBUF, M_WAITOK | M_ZERO); /* SLEEP */
	mtx_leave(&sc->sc_mtx);
	free(buffer, M_DEVBUF, 64);
}

void
modem_open_repaired(struct modem_softc *sc)
{
	char *buffer;
	rw_enter_read(&sc->sc_lock);
	buffer = malloc(64, M_DEVBUF, M_WAITOK | M_ZERO); /* NOSLEEP */
	rw_exit_read(&sc->sc_lock);
	free(buffer, M_DEVBUF, 64);
}

int
modem_reconfigure(struct modem_softc *sc)
{
	mtx_enter(&sc->sc_mtx);
	rw_enter_write(&sc->sc_lock); /* SLEEP */
	sc->sc_config = 0; /* NORACE */
	rw_exit_write(&sc->sc_lock);
	mtx_leave(&sc->sc_mtx);
	return 0;
}

/* Levels, as of old. */
void
modem_queue(struct modem_softc *sc)
{
	int s = spltty();
	while (sc->sc_queue > 4)
		tsleep_nsec(&sc->sc_queue, PWAIT, "modemq", INFSLP); /* NOSLEEP */
	sc->sc_queue++; /* NORACE */
	splx(s);
}

int modem_queue_intr(void *arg) { struct modem_softc *sc = arg; sc->sc_queue--; wakeup(&sc->sc_queue); return 1; } /* NORACE */

/* Two orders of two mutexes, and one with a try. */
void list_then_stat(void) { mtx_enter(&list_mtx); mtx_enter(&stat_mtx); list_length++; mtx_leave(&stat_mtx); mtx_leave(&list_mtx); } /* DEADLOCK@a */
void stat_then_list(void) { mtx_enter(&stat_mtx); mtx_enter(&list_mtx); list_length--; mtx_leave(&list_mtx); mtx_leave(&stat_mtx); } /* DEADLOCK@a */

void
config_then_net(void)
{
	rw_enter_write(&config_lock);
	NET_LOCK(); /* NODEADLOCK */
	route_count++; /* NORACE */
	NET_UNLOCK();
	rw_exit_write(&config_lock);
}

int
net_then_config(void)
{
	NET_LOCK();
	if (rw_enter(&config_lock, RW_WRITE | RW_NOSLEEP) != 0) { /* NODEADLOCK */
		NET_UNLOCK();
		return EBUSY;
	}
	route_count--; /* NORACE */
	rw_exit(&config_lock);
	NET_UNLOCK();
	return 0;
}

int
config_interruptible(void)
{
	int error = rw_enter(&config_lock, RW_WRITE | RW_INTR);
	if (error)
		return error; /* NOLEAK */
	stat_total = 0;
	rw_exit_write(&config_lock);
	return 0;
}
int config_read(void) { int n; rw_enter_read(&config_lock); n = stat_total; rw_exit_read(&config_lock); return n; } /* NORACE */

/* The big lock is let go by who sleeps. */
void big_then_config(void) { KERNEL_LOCK(); rw_enter_write(&config_lock); stat_total++; rw_exit_write(&config_lock); KERNEL_UNLOCK(); } /* NODEADLOCK */
void config_then_big(void) { rw_enter_write(&config_lock); KERNEL_LOCK(); stat_total--; KERNEL_UNLOCK(); rw_exit_write(&config_lock); } /* NODEADLOCK */

void
modem_attach(struct device *parent, struct device *self, void *aux)
{
	struct modem_softc *sc = (struct modem_softc *)self;
	struct pci_attach_args *pa = aux;
	mtx_init(&sc->sc_mtx, IPL_TTY);
	rw_init(&sc->sc_lock, "modem");
	timeout_set(&sc->sc_tick, modem_tick, sc);
	task_set(&sc->sc_task, modem_task, sc);
	sc->sc_ih = pci_intr_establish(pa->pa_pc, pa->pa_ih, IPL_TTY, modem_intr, sc, "modem");
	pci_intr_establish(pa->pa_pc, pa->pa_ih, IPL_TTY, modem_queue_intr, sc, "modemq");
	kthread_create(modem_thread, sc, &sc->sc_proc, "modem");
}

/* The end of a timeout must not be waited for under a lock it takes. */
void modem_stop(struct modem_softc *sc) { rw_enter_write(&sc->sc_lock); taskq_del_barrier(systq, &sc->sc_task); rw_exit_write(&sc->sc_lock); } /* DEADLOCK */
void modem_stop_repaired(struct modem_softc *sc) { timeout_del_barrier(&sc->sc_tick); taskq_del_barrier(systq, &sc->sc_task); } /* NODEADLOCK */
