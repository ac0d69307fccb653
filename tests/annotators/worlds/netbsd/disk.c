/* A disk driver and its neighbours in the idiom of NetBSD. */
#include <sys/param.h>
#include <sys/callout.h>
#include <sys/condvar.h>
#include <sys/device.h>
#include <sys/intr.h>
#include <sys/kmem.h>
#include <sys/kthread.h>
#include <sys/mutex.h>
#include <sys/rwlock.h>
#include <sys/workqueue.h>

struct disk_softc {
	device_t sc_dev;
	kmutex_t sc_lock;
	kmutex_t sc_intr_lock;
	krwlock_t sc_map_lock;
	kcondvar_t sc_cv;
	callout_t sc_tick, sc_probe;
	struct workqueue *sc_wq;
	void *sc_ih, *sc_sih;
	lwp_t *sc_worker;
	int sc_done, sc_errors, sc_ticks, sc_map, sc_queue, sc_dying, sc_level;
};

static kmutex_t disk_list_lock, disk_stat_lock;
static int disk_count, disk_stats;

/* Hard interrupts take what spins at their level, soft ones what blocks. */
static int
disk_intr(void *arg)
{
	struct disk_softc *sc = arg;
	mutex_spin_enter(&sc->sc_intr_lock);
	sc->sc_level++; /* NORACE */
	mutex_spin_exit(&sc->sc_intr_lock);
	softint_schedule(sc->sc_sih);
	return 1;
}

static void
disk_softintr(void *arg)
{
	struct disk_softc *sc = arg;
	mutex_enter(&sc->sc_lock); /* NOSLEEP */
	sc->sc_done++;
	cv_broadcast(&sc->sc_cv);
	mutex_exit(&sc->sc_lock);
	sc->sc_errors++; /* RACE */
}

static void
disk_tick(void *arg)
{
	struct disk_softc *sc = arg;
	mutex_enter(&sc->sc_lock);
	sc->sc_ticks++; /* NORACE */
	sc->sc_errors = 0;
	mutex_exit(&sc->sc_lock);
	callout_schedule(&sc->sc_tick, hz);
}

static void
disk_work(struct work *wk, void *arg)
{
	struct disk_softc *sc = arg;
	mutex_enter(&sc->sc_lock);
	sc->sc_ticks = 0; /* NORACE */
	sc->sc_errors = 1;
	mutex_exit(&sc->sc_lock);
}

static void
disk_thread(void *arg)
{
	struct disk_softc *sc = arg;
	mutex_enter(&sc->sc_lock);
	while (!sc->sc_dying) {
		cv_timedwait(&sc->sc_cv, &sc->sc_lock, hz);
		sc->sc_errors--;
	}
	mutex_exit(&sc->sc_lock);
	kthread_exit(0);
}

int disk_errors(struct disk_softc *sc) { int e; mutex_enter(&sc->sc_lock); e = sc->sc_errors; mutex_exit(&sc->sc_lock); return e; }
void disk_clear(struct disk_softc *sc) { mutex_enter(&sc->sc_lock); sc->sc_errors = 0; mutex_exit(&sc->sc_lock); }
int disk_level(struct disk_softc *sc) { int l; mutex_spin_enter(&sc->sc_intr_lock); l = sc->sc_level; mutex_spin_exit(&sc->sc_intr_lock); return l; }

/* Waiting lets the lock go; sleeping with a spinning one is an error. */
int
disk_wait(struct disk_softc *sc)
{
	int error = 0;
	mutex_enter(&sc->sc_lock);
	while (sc->sc_done == 0 && error == 0)
		error = cv_wait_sig(&sc->sc_cv, &sc->sc_lock); /* NOSLEEP */
	sc->sc_done = 0;
	mutex_exit(&sc->sc_lock);
	return error;
}

void
disk_alloc(struct disk_softc *sc)
{
	void *p;
	mutex_spin_enter(&sc->sc_intr_lock);
	p = kmem_zalloc(64, KM_SLEEP); /* SLEEP */
	mutex_spin_exit(&sc->sc_intr_lock);
	kmem_free(p, 64);
}

void
disk_alloc_repaired(struct disk_softc *sc)
{
	void *p;
	mutex_spin_enter(&sc->sc_intr_lock);
	p = kmem_zalloc(64, KM_NOSLEEP); /* NOSLEEP */
	mutex_spin_exit(&sc->sc_intr_lock);
	kmem_free(p, 64);
	mutex_enter(&sc->sc_lock);
	p = kmem_zalloc(64, KM_SLEEP); /* NOSLEEP */
	mutex_exit(&sc->sc_lock);
	kmem_free(p, 64);
}

/* An old driver: levels instead of locks, and sleeping at one is fine. */
void
disk_old_start(struct disk_softc *sc)
{
	int s = splbio();
	while (sc->sc_queue > 8)
		tsleep(&sc->sc_queue, PRIBIO, "diskq", 0); /* NOSLEEP */
	sc->sc_queue++; /* NORACE */
	splx(s);
}

static int
disk_old_intr(void *arg)
{
	struct disk_softc *sc = arg;
	sc->sc_queue--; /* NORACE */
	wakeup(&sc->sc_queue);
	return 1;
}

/* Two orders, and the same with a try. */
void
list_then_stat(void)
{
	mutex_enter(&disk_list_lock);
	mutex_enter(&disk_stat_lock); /* DEADLOCK@a */
	disk_count++;
	mutex_exit(&disk_stat_lock);
	mutex_exit(&disk_list_lock);
}

void
stat_then_list(void)
{
	mutex_enter(&disk_stat_lock);
	mutex_enter(&disk_list_lock); /* DEADLOCK@a */
	disk_count--;
	mutex_exit(&disk_list_lock);
	mutex_exit(&disk_stat_lock);
}

void map_then_lock(struct disk_softc *sc) { rw_enter(&sc->sc_map_lock, RW_WRITER); mutex_enter(&sc->sc_lock); sc->sc_map = 1; mutex_exit(&sc->sc_lock); rw_exit(&sc->sc_map_lock); } /* NODEADLOCK */
void
lock_then_map(struct disk_softc *sc)
{
	mutex_enter(&sc->sc_lock);
	if (rw_tryenter(&sc->sc_map_lock, RW_WRITER)) { /* NODEADLOCK */
		sc->sc_map = 0; /* NORACE */
		rw_exit(&sc->sc_map_lock);
	}
	mutex_exit(&sc->sc_lock);
}
int map_get(struct disk_softc *sc) { int m; rw_enter(&sc->sc_map_lock, RW_READER); m = sc->sc_map; rw_exit(&sc->sc_map_lock); return m; }
int map_odd(struct disk_softc *sc) { int m; rw_enter(&sc->sc_map_lock, RW_READER); m = sc->sc_map & 1; rw_exit(&sc->sc_map_lock); return m; }
int map_zero(struct disk_softc *sc) { int m; rw_enter(&sc->sc_map_lock, RW_READER); m = !sc->sc_map; rw_exit(&sc->sc_map_lock); return m; }
void map_set(struct disk_softc *sc) { rw_enter(&sc->sc_map_lock, RW_WRITER); sc->sc_map = 2; rw_exit(&sc->sc_map_lock); }
void map_add(struct disk_softc *sc) { rw_enter(&sc->sc_map_lock, RW_WRITER); sc->sc_map++; rw_exit(&sc->sc_map_lock); }
void map_sub(struct disk_softc *sc) { rw_enter(&sc->sc_map_lock, RW_WRITER); sc->sc_map--; rw_exit(&sc->sc_map_lock); }
void map_bad(struct disk_softc *sc) { rw_enter(&sc->sc_map_lock, RW_READER); sc->sc_map = 3; rw_exit(&sc->sc_map_lock); } /* RACE */

/* The big lock is let go by who blocks. */
void big_then_stat(void) { KERNEL_LOCK(1, NULL); mutex_enter(&disk_stat_lock); disk_stats++; mutex_exit(&disk_stat_lock); KERNEL_UNLOCK_ONE(NULL); } /* NODEADLOCK */
void stat_then_big(void) { mutex_enter(&disk_stat_lock); KERNEL_LOCK(1, NULL); disk_stats--; KERNEL_UNLOCK_ONE(NULL); mutex_exit(&disk_stat_lock); } /* NODEADLOCK */

static void
disk_attach(device_t parent, device_t self, void *aux)
{
	struct disk_softc *sc = device_private(self);
	struct pci_attach_args *pa = aux;
	sc->sc_errors = 0; /* NORACE */
	mutex_init(&sc->sc_lock, MUTEX_DEFAULT, IPL_SOFTBIO);
	mutex_init(&sc->sc_intr_lock, MUTEX_DEFAULT, IPL_BIO);
	rw_init(&sc->sc_map_lock);
	cv_init(&sc->sc_cv, "disk");
	callout_init(&sc->sc_tick, CALLOUT_MPSAFE);
	callout_setfunc(&sc->sc_tick, disk_tick, sc);
	callout_reset(&sc->sc_probe, hz, disk_tick, sc);
	workqueue_create(&sc->sc_wq, "disk", disk_work, sc, PRI_BIO, IPL_BIO, 0);
	kthread_create(PRI_NONE, KTHREAD_MPSAFE, NULL, disk_thread, sc, &sc->sc_worker, "disk");
	sc->sc_sih = softint_establish(SOFTINT_BIO, disk_softintr, sc);
	sc->sc_ih = pci_intr_establish(pa->pa_pc, pa->pa_ih, IPL_BIO, disk_intr, sc);
	pci_intr_establish(pa->pa_pc, pa->pa_ih, IPL_BIO, disk_old_intr, sc);
	aprint_normal_dev(self, "ready\n");
}
CFATTACH_DECL_NEW(disk, sizeof(struct disk_softc), disk_match, disk_attach, NULL, NULL);

/* callout_halt lets go of the lock it is given; without one it waits with all that is held. */
void disk_stop(struct disk_softc *sc) { mutex_enter(&sc->sc_lock); callout_halt(&sc->sc_tick, NULL); mutex_exit(&sc->sc_lock); } /* DEADLOCK */
void disk_stop_repaired(struct disk_softc *sc) { mutex_enter(&sc->sc_lock); callout_halt(&sc->sc_tick, &sc->sc_lock); mutex_exit(&sc->sc_lock); } /* NODEADLOCK */
