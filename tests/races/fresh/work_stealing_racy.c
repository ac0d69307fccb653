#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NW 3
#define CAP 256

struct deque {
	pthread_mutex_t lock;
	int work[CAP];
	int top, bottom;
};

struct worker {
	pthread_t tid;
	int idx;
	long done;
	struct deque dq;
};

static struct worker w[NW];

static int pop_own(struct worker *me, int *item)
{
	int ok = 0;
	pthread_mutex_lock(&me->dq.lock);
	if (me->dq.bottom > me->dq.top) {
		*item = me->dq.work[--me->dq.bottom];
		ok = 1;
	}
	pthread_mutex_unlock(&me->dq.lock);
	return ok;
}

static int steal(struct worker *victim, int *item)
{
	struct deque *d = &victim->dq;
	int ok = 0;

	if (d->bottom > d->top) { // RACE!
		*item = d->work[d->top++];
		ok = 1;
	}
	return ok;
}

static void *work_loop(void *arg)
{
	struct worker *me = arg;
	int item, k;

	for (;;) {
		if (!pop_own(me, &item)) {
			for (k = 1; k < NW; k++)
				if (steal(&w[(me->idx + k) % NW], &item))
					break;
			if (k == NW)
				return NULL;
		}
		me->done += item;
	}
}

int main(void)
{
	int i, k;

	for (i = 0; i < NW; i++) {
		w[i].idx = i;
		pthread_mutex_init(&w[i].dq.lock, NULL);
		for (k = 0; k < (i + 1) * 60; k++)
			w[i].dq.work[w[i].dq.bottom++] = k;
	}
	for (i = 0; i < NW; i++)
		pthread_create(&w[i].tid, NULL, work_loop, &w[i]);
	for (i = 0; i < NW; i++) {
		pthread_join(w[i].tid, NULL);
		printf("%ld\n", w[i].done);
	}
	return 0;
}
