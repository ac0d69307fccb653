#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

/* One-shot timers; callbacks may want to arm a new timer. */
struct timer {
	struct timer *next;
	unsigned due;
	void (*cb)(void *);
	void *arg;
};

static struct {
	mtx_t mtx;
	struct timer *list;
	unsigned now;
} tq;

static void timer_start(unsigned in, void (*cb)(void *), void *arg)
{
	struct timer *t = malloc(sizeof *t);

	t->cb = cb;
	t->arg = arg;
	mtx_lock(&tq.mtx); // DOUBLE-LOCK!
	t->due = tq.now + in;
	t->next = tq.list;
	tq.list = t;
	mtx_unlock(&tq.mtx);
}

static void timers_advance(void)
{
	struct timer **pp, *t;

	mtx_lock(&tq.mtx);
	tq.now++;
	for (pp = &tq.list; (t = *pp) != NULL;) {
		if (t->due > tq.now) {
			pp = &t->next;
			continue;
		}
		*pp = t->next;
		t->cb(t->arg);
		free(t);
	}
	mtx_unlock(&tq.mtx);
}

static int beats;			/* ticker thread only */

static void heartbeat(void *arg)
{
	beats++;
	if (beats < 5)
		timer_start(2, heartbeat, arg);
}

static int ticker(void *arg)
{
	for (int i = 0; i < 20; i++) {
		timers_advance();
		thrd_sleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
	}
	return beats;
}

int main(int argc, char **argv)
{
	thrd_t th;
	int n = 0;

	mtx_init(&tq.mtx, mtx_plain);
	timer_start(argc > 1 ? 1 : 1000, heartbeat, NULL);
	thrd_create(&th, ticker, NULL);
	thrd_join(th, &n);
	printf("%d beats\n", n);
	return 0;
}
