/* A driver and its neighbours in the idiom of DragonFly. */
#include <sys/param.h>
#include <sys/bus.h>
#include <sys/callout.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/serialize.h>
#include <sys/spinlock2.h>
#include <sys/thread2.h>

struct pipe_softc {
	device_t dev;
	struct lwkt_serialize slz;
	struct spinlock spin;
	struct lock lk;
	struct lwkt_token token;
	struct callout tick;
	struct task task;
	struct resource *irq;
	void *cookie;
	struct thread *td;
	int bytes, errors, ready, mode, users, queue;
};

static struct spinlock list_spin, stat_spin;
static struct lock tree_lock;
static struct lwkt_token tree_token, vm_token;
static int list_length, tree_size, tree_depth;

/* Interrupts are threads: they take serializers and spinning locks alike. */
static void
pipe_intr(void *arg)
{
	struct pipe_softc *sc = arg;
	lwkt_serialize_enter(&sc->slz); /* NOSLEEP */
	sc->bytes++;
	lwkt_serialize_exit(&sc->slz);
	spin_lock(&sc->spin); /* NOIRQ-DEADLOCK */
	sc->ready = 1; /* NORACE */
	spin_unlock(&sc->spin);
	wakeup(&sc->ready);
	sc->errors++; /* RACE */
}

static void
pipe_tick(void *arg)
{
	struct pipe_softc *sc = arg;
	lwkt_serialize_enter(&sc->slz);
	sc->bytes = 0; /* NORACE */
	sc->errors = 0;
	lwkt_serialize_exit(&sc->slz);
	callout_reset(&sc->tick, hz, pipe_tick, sc);
}

static void
pipe_task(void *arg, int pending)
{
	struct pipe_softc *sc = arg;
	lwkt_serialize_enter(&sc->slz);
	sc->errors = 1;
	lwkt_serialize_exit(&sc->slz);
}

static void
pipe_thread(void *arg)
{
	struct pipe_softc *sc = arg;
	for (;;) {
		spin_lock(&sc->spin); /* NOIRQ-DEADLOCK */
		while (sc->ready == 0)
			ssleep(&sc->ready, &sc->spin, 0, "pipewt", 0); /* NOSLEEP */
		sc->ready = 0; /* NORACE */
		spin_unlock(&sc->spin);
		lockmgr(&sc->lk, LK_EXCLUSIVE);
		lksleep(&sc->mode, &sc->lk, 0, "pipelk", hz);
		sc->mode++; /* NORACE */
		lockmgr(&sc->lk, LK_RELEASE);
	}
}

int pipe_errors(struct pipe_softc *sc) { int e; lwkt_serialize_enter(&sc->slz); e = sc->errors; lwkt_serialize_exit(&sc->slz); return (e); }
void pipe_clear(struct pipe_softc *sc) { lwkt_serialize_enter(&sc->slz); sc->errors = 0; lwkt_serialize_exit(&sc->slz); }
void pipe_asserted(struct pipe_softc *sc) { ASSERT_SERIALIZED(&sc->slz); sc->errors = 2; }

void
pipe_alloc(struct pipe_softc *sc)
{
	char *p;
	spin_lock(&sc->spin);
	p = kmalloc(64, M_DEVBUF, M_WAITOK | M_ZERO); /* SLEEP */
	spin_unlock(&sc->spin);
	kfree(p, M_DEVBUF);
}

void
pipe_alloc_repaired(struct pipe_softc *sc)
{
	char *p;
	lockmgr(&sc->lk, LK_EXCLUSIVE);
	p = kmalloc(64, M_DEVBUF, M_WAITOK | M_ZERO); /* NOSLEEP */
	lockmgr(&sc->lk, LK_RELEASE);
	crit_enter();
	tsleep(sc, 0, "pipe", hz); /* NOSLEEP */
	crit_exit();
	kfree(p, M_DEVBUF);
}

/* Two orders of spinning locks deadlock; tokens have no order. */
void list_then_stat(void) { spin_lock(&list_spin); spin_lock(&stat_spin); list_length++; spin_unlock(&stat_spin); spin_unlock(&list_spin); } /* DEADLOCK@a */
void stat_then_list(void) { spin_lock(&stat_spin); spin_lock(&list_spin); list_length--; spin_unlock(&list_spin); spin_unlock(&stat_spin); } /* DEADLOCK@a */
void tree_then_vm(void) { lwkt_gettoken(&tree_token); lwkt_gettoken(&vm_token); tree_depth++; lwkt_reltoken(&vm_token); lwkt_reltoken(&tree_token); } /* NODEADLOCK */
void vm_then_tree(void) { lwkt_gettoken(&vm_token); lwkt_gettoken(&tree_token); tree_depth--; lwkt_reltoken(&tree_token); lwkt_reltoken(&vm_token); } /* NODEADLOCK */
void lock_then_token(void) { lockmgr(&tree_lock, LK_EXCLUSIVE); lwkt_gettoken(&tree_token); tree_depth = 0; lwkt_reltoken(&tree_token); lockmgr(&tree_lock, LK_RELEASE); } /* NODEADLOCK */
void token_then_lock(void) { lwkt_gettoken(&tree_token); lockmgr(&tree_lock, LK_EXCLUSIVE); tree_depth = 1; lockmgr(&tree_lock, LK_RELEASE); lwkt_reltoken(&tree_token); } /* NODEADLOCK */

/* Readers, writers, tries and changes between them. */
int tree_get(void) { int n; lockmgr(&tree_lock, LK_SHARED); n = tree_size; lockmgr(&tree_lock, LK_RELEASE); return (n); }
int tree_odd(void) { int n; lockmgr(&tree_lock, LK_SHARED); n = tree_size & 1; lockmgr(&tree_lock, LK_RELEASE); return (n); }
int tree_empty(void) { int n; lockmgr(&tree_lock, LK_SHARED); n = !tree_size; lockmgr(&tree_lock, LK_RELEASE); return (n); }
void tree_add(void) { lockmgr(&tree_lock, LK_EXCLUSIVE); tree_size++; lockmgr(&tree_lock, LK_RELEASE); }
void tree_cut(void) { lockmgr(&tree_lock, LK_EXCLUSIVE); tree_size--; lockmgr(&tree_lock, LK_RELEASE); }
void tree_clear(void) { lockmgr(&tree_lock, LK_EXCLUSIVE); tree_size = 0; lockmgr(&tree_lock, LK_RELEASE); }
void tree_bad(void) { lockmgr(&tree_lock, LK_SHARED); tree_size = 7; lockmgr(&tree_lock, LK_RELEASE); } /* RACE */
void tree_upgrade(void) { lockmgr(&tree_lock, LK_SHARED); lockmgr(&tree_lock, LK_UPGRADE); tree_size = 8; lockmgr(&tree_lock, LK_RELEASE); } /* NORACE */
int
tree_try(void)
{
	if (lockmgr(&tree_lock, LK_EXCLUSIVE | LK_NOWAIT) != 0)
		return (EBUSY); /* NOLEAK */
	tree_size = 9; /* NORACE */
	lockmgr(&tree_lock, LK_RELEASE);
	return (0);
}

static int
pipe_attach(device_t dev)
{
	struct pipe_softc *sc = device_get_softc(dev);
	lwkt_serialize_init(&sc->slz);
	spin_init(&sc->spin, "pipe");
	lockinit(&sc->lk, "pipe", 0, 0);
	callout_init_mp(&sc->tick);
	TASK_INIT(&sc->task, 0, pipe_task, sc);
	callout_reset(&sc->tick, hz, pipe_tick, sc);
	kthread_create(pipe_thread, sc, &sc->td, "pipe");
	return (bus_setup_intr(dev, sc->irq, INTR_MPSAFE, pipe_intr, sc, &sc->cookie, NULL));
}

/* The callout takes the serializer that is held here. */
void pipe_stop(struct pipe_softc *sc) { lwkt_serialize_enter(&sc->slz); callout_drain(&sc->tick); lwkt_serialize_exit(&sc->slz); } /* DEADLOCK */
void pipe_stop_repaired(struct pipe_softc *sc) { callout_drain(&sc->tick); lwkt_serialize_enter(&sc->slz); lwkt_serialize_exit(&sc->slz); } /* NODEADLOCK */
