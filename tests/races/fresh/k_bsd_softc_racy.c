#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/bus.h>
#include <sys/callout.h>
#include <sys/conf.h>

struct wd_softc {
	device_t	sc_dev;
	struct mtx	sc_mtx;
	struct callout	sc_tick;
	int		sc_timeout;
	int		sc_armed;
	u_int		sc_pats;
};

#define	WD_LOCK(sc)	mtx_lock(&(sc)->sc_mtx)
#define	WD_UNLOCK(sc)	mtx_unlock(&(sc)->sc_mtx)

static void
wd_tick(void *arg)
{
	struct wd_softc *sc = arg;

	WD_LOCK(sc);
	if (sc->sc_armed && --sc->sc_timeout <= 0)
		panic("watchdog");
	callout_reset(&sc->sc_tick, hz, wd_tick, sc);
	WD_UNLOCK(sc);
}

static int
wd_ioctl(struct cdev *dev, u_long cmd, caddr_t data, int fflag, struct thread *td)
{
	struct wd_softc *sc = dev->si_drv1;

	switch (cmd) {
	case 1:			/* arm */
		WD_LOCK(sc);
		sc->sc_armed = 1;
		sc->sc_timeout = *(int *)data;
		WD_UNLOCK(sc);
		break;
	case 2:			/* disarm */
		WD_LOCK(sc);
		sc->sc_armed = 0;
		WD_UNLOCK(sc);
		break;
	case 3:			/* pat */
		sc->sc_timeout = 30; // RACE!
		sc->sc_pats++;
		break;
	default:
		return (ENOTTY);
	}
	return (0);
}

static struct cdevsw wd_cdevsw = {
	.d_version = D_VERSION,
	.d_ioctl = wd_ioctl,
	.d_name = "wd",
};

static int
wd_attach(device_t dev)
{
	struct wd_softc *sc = device_get_softc(dev);
	struct cdev *cd;

	sc->sc_dev = dev;
	mtx_init(&sc->sc_mtx, "wd", NULL, MTX_DEF);
	callout_init(&sc->sc_tick, 1);
	sc->sc_timeout = 30;
	cd = make_dev(&wd_cdevsw, 0, UID_ROOT, GID_WHEEL, 0600, "wd");
	cd->si_drv1 = sc;
	callout_reset(&sc->sc_tick, hz, wd_tick, sc);
	return (0);
}

static device_method_t wd_methods[] = {
	DEVMETHOD(device_attach, wd_attach),
	DEVMETHOD_END
};
