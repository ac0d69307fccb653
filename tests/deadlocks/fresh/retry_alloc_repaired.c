#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAP_UNITS 64

/* fixed-size unit allocator of an embedded runtime */
struct uheap {
	pthread_mutex_t lock;
	unsigned char map[HEAP_UNITS];
	unsigned gc_runs;
};

static struct uheap heap = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int scan(const struct uheap *h, int need)
{
	int run = 0;

	for (int i = 0; i < HEAP_UNITS; i++) {
		run = h->map[i] ? 0 : run + 1;
		if (run == need)
			return i - need + 1;
	}
	return -1;
}

static bool collect(struct uheap *h)
{
	bool any = false;

	for (int i = 0; i < HEAP_UNITS; i++)
		if (h->map[i] == 2) {
			h->map[i] = 0;
			any = true;
		}
	h->gc_runs++;
	return any;
}

static int unit_alloc(struct uheap *h, int need)
{
	int at;

	pthread_mutex_lock(&h->lock);
retry:
	at = scan(h, need);
	if (at < 0 && collect(h))
		goto retry;
	if (at >= 0)
		memset(h->map + at, 1, (size_t)need);
	pthread_mutex_unlock(&h->lock);
	return at;
}

static void unit_release(struct uheap *h, int at, int n)
{
	pthread_mutex_lock(&h->lock);
	memset(h->map + at, 2, (size_t)n);
	pthread_mutex_unlock(&h->lock);
}

static void *task(void *arg)
{
	int n = *(int *)arg;

	for (int i = 0; i < 6; i++) {
		int at = unit_alloc(&heap, n);
		if (at < 0)
			break;
		unit_release(&heap, at, n);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int sizes[2] = { argc > 1 ? 9 : 2, argc > 1 ? 11 : 3 };
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, task, &sizes[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("gc runs %u\n", heap.gc_runs);
	return 0;
}
