#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef void (*timer_fn)(void *);

struct timer {
	struct timer *next;
	int ticks;
	int cancelled;
	timer_fn fn;
	void *arg;
};

static struct timer *armed;
static pthread_mutex_t wheel = PTHREAD_MUTEX_INITIALIZER;
static int running = 1;

static void timer_arm(struct timer *t, int ticks, timer_fn fn, void *arg)
{
	t->ticks = ticks; // TODO NORACE: elements that are handed over one by one
	t->cancelled = 0; // TODO NORACE: elements that are handed over one by one
	t->fn = fn; // TODO NORACE: elements that are handed over one by one
	t->arg = arg; // TODO NORACE: elements that are handed over one by one
	pthread_mutex_lock(&wheel);
	t->next = armed;
	armed = t;
	pthread_mutex_unlock(&wheel);
}

static void timer_cancel(struct timer *t)
{
	pthread_mutex_lock(&wheel);
	t->cancelled = 1; // NORACE
	pthread_mutex_unlock(&wheel);
}

static void *wheel_thread(void *unused)
{
	struct timer **at, *t;

	pthread_mutex_lock(&wheel);
	while (running) {
		for (at = &armed; (t = *at) != NULL; ) {
			if (t->cancelled) {
				*at = t->next;
			} else if (--t->ticks <= 0) {
				*at = t->next;
				t->fn(t->arg);
			} else {
				at = &t->next;
			}
		}
		pthread_mutex_unlock(&wheel);
		usleep(100);
		pthread_mutex_lock(&wheel);
	}
	pthread_mutex_unlock(&wheel);
	return unused;
}

static void beep(void *arg)
{
	++*(int *)arg;			/* called with the wheel locked */
}

int main(void)
{
	struct timer *t = calloc(10, sizeof *t);
	pthread_t w;
	int beeps = 0, i;

	pthread_create(&w, NULL, wheel_thread, NULL);
	for (i = 0; i < 10; i++)
		timer_arm(&t[i], i * 3, beep, &beeps);
	for (i = 0; i < 10; i += 2)
		timer_cancel(&t[i]);
	usleep(5000);
	pthread_mutex_lock(&wheel);
	running = 0;
	pthread_mutex_unlock(&wheel);
	pthread_join(w, NULL);
	printf("%d beeps\n", beeps);
	return 0;
}
