#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NPAGES 16

struct page {
	pthread_mutex_t latch;
	int pinned;
	int dirty;
	char data[32];
};

static struct page pages[NPAGES];

static void write_back(struct page *p)
{
	p->data[0] ^= 1;
	p->dirty = 0;
}

/* Find a page that can be reused without waiting; returns its index. */
static int evict_one(void)
{
	for (int i = 0; i < NPAGES; i++) {
		struct page *p = &pages[i];

		if (pthread_mutex_trylock(&p->latch) != 0)
			continue;
		if (p->pinned) {
			continue;
		}
		if (p->dirty)
			write_back(p);
		memset(p->data, 0, sizeof p->data);
		pthread_mutex_unlock(&p->latch);
		return i;
	}
	return -1; // LEAK!
}

static void page_touch(int i, int pin)
{
	struct page *p = &pages[i % NPAGES];

	pthread_mutex_lock(&p->latch);
	p->dirty = 1;
	p->pinned = pin;
	snprintf(p->data, sizeof p->data, "page %d", i);
	pthread_mutex_unlock(&p->latch);
}

static int pin_all;

static void *backend(void *arg)
{
	for (int i = 0; i < 40; i++)
		page_touch(i, pin_all);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;
	int ev = 0;

	pin_all = argc > 1;
	for (int i = 0; i < NPAGES; i++)
		pthread_mutex_init(&pages[i].latch, NULL);
	pthread_create(&t, NULL, backend, NULL);
	for (int i = 0; i < 10; i++) {
		ev += evict_one() >= 0;
		usleep(100);
	}
	pthread_join(t, NULL);
	printf("evicted %d\n", ev);
	return 0;
}
