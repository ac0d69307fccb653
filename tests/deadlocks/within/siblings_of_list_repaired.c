/* Both lock the earlier page first. */
#include <pthread.h>
#include <stdlib.h>

struct page { struct page *before, *after; pthread_mutex_t latch; int bytes; };
static struct page *first;

static void append(struct page *last, struct page *fresh)
{
	last->after = fresh;
	fresh->before = last;
}

static void spill(struct page *page)
{
	pthread_mutex_lock(&page->latch);
	struct page *next = page->after;
	if (next) {
		pthread_mutex_lock(&next->latch);
		next->bytes += page->bytes;
		page->bytes = 0;
		pthread_mutex_unlock(&next->latch);
	}
	pthread_mutex_unlock(&page->latch);
}

static void borrow(struct page *page)
{
	struct page *earlier = page->before;
	if (!earlier)
		return;
	pthread_mutex_lock(&earlier->latch);
	pthread_mutex_lock(&page->latch);
	page->bytes += earlier->bytes;
	earlier->bytes = 0;
	pthread_mutex_unlock(&page->latch);
	pthread_mutex_unlock(&earlier->latch);
}

static void *spiller(void *argument)
{
	for (struct page *page = first; page; page = page->after)
		spill(page);
	return argument;
}

static void *borrower(void *argument)
{
	for (struct page *page = first; page; page = page->after)
		borrow(page);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	struct page *last = first = calloc(1, sizeof *first);
	pthread_mutex_init(&first->latch, NULL);
	for (int i = 0; i < 10; i++) {
		struct page *fresh = calloc(1, sizeof *fresh);
		pthread_mutex_init(&fresh->latch, NULL);
		append(last, fresh);
		last = fresh;
	}
	pthread_create(&a, NULL, spiller, NULL);
	pthread_create(&b, NULL, borrower, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
