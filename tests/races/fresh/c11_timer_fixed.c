#include <stdbool.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>

/* Software timers serviced by one thread (C11 threads). */
typedef void (*timer_cb)(int id);

struct swtimer {
	bool     armed;
	int      ticks;
	int      period;
	timer_cb cb;
};

#define NTIMERS 4

static struct swtimer wheel[NTIMERS];
static mtx_t wheel_mtx;
static bool wheel_run = true;
static int fired[NTIMERS];

static void on_fire(int id) { fired[id]++; }

static int wheel_main(void *unused)
{
	bool go = true;

	while (go) {
		mtx_lock(&wheel_mtx);
		for (int i = 0; i < NTIMERS; i++) {
			struct swtimer *t = &wheel[i];
			if (!t->armed)
				continue;
			if (--t->ticks <= 0) {
				t->ticks = t->period;
				t->cb(i);
			}
		}
		go = wheel_run;
		mtx_unlock(&wheel_mtx);
		thrd_sleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
	}
	return 0;
}

static void timer_arm(int id, int period, timer_cb cb)
{
	mtx_lock(&wheel_mtx);
	wheel[id] = (struct swtimer){ true, period, period, cb };
	mtx_unlock(&wheel_mtx);
}

static void timer_disarm(int id)
{
	mtx_lock(&wheel_mtx);
	wheel[id].armed = false; // NORACE
	mtx_unlock(&wheel_mtx);
}

int main(void)
{
	thrd_t th;

	if (mtx_init(&wheel_mtx, mtx_plain) != thrd_success)
		return 1;
	thrd_create(&th, wheel_main, NULL);
	for (int r = 0; r < 20; r++) {
		timer_arm(r % NTIMERS, 1 + r % 3, on_fire);
		thrd_sleep(&(struct timespec){ .tv_nsec = 300000 }, NULL);
		if (r & 1)
			timer_disarm(r % NTIMERS);
	}
	mtx_lock(&wheel_mtx);
	wheel_run = false;
	mtx_unlock(&wheel_mtx);
	thrd_join(th, NULL);
	for (int i = 0; i < NTIMERS; i++)
		printf("timer %d fired %d\n", i, fired[i]);
	mtx_destroy(&wheel_mtx);
	return 0;
}
