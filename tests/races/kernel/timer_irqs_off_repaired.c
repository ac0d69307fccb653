// racerx: --preset c --preset bsd --preset netbsd
/* A modem's state is changed with its interrupt held off, by the tick of a callout as well. */
struct modem_softc { callout_t tick; int state; int carrier; void *ih; };

static int modem_intr(void *arg)
{
	struct modem_softc *sc = arg;
	sc->state = 0;
	sc->carrier++;
	return 1;
}

static void modem_tick(void *arg)
{
	struct modem_softc *sc = arg;
	int s = spltty();
	sc->state = 2; /* NORACE */
	sc->carrier--; /* NORACE */
	splx(s);
}

int modem_dial(struct modem_softc *sc)
{
	int s = spltty();
	sc->state = 1;
	sc->carrier = 0;
	splx(s);
	return 0;
}

int modem_hang(struct modem_softc *sc)
{
	int s = spltty();
	sc->state = 3;
	sc->carrier = 0;
	splx(s);
	return 0;
}

int modem_state(struct modem_softc *sc)
{
	int state, s = spltty();
	state = sc->carrier ? sc->state : -1;
	splx(s);
	return state;
}

int modem_test(struct modem_softc *sc)
{
	int s = spltty();
	sc->state = 4;
	sc->carrier += 2;
	splx(s);
	return 0;
}

void modem_attach(struct modem_softc *sc)
{
	callout_init(&sc->tick, 0);
	callout_setfunc(&sc->tick, modem_tick, sc);
	sc->ih = pci_intr_establish(1, 2, 3, modem_intr, sc);
}
