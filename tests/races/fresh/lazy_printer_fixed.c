#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>

struct printer { int dpi; int pages; };

static _Atomic(struct printer *) the_printer;
static pthread_mutex_t make_lock = PTHREAD_MUTEX_INITIALIZER;

static struct printer *printer(void)
{
	struct printer *p = atomic_load_explicit(&the_printer, memory_order_acquire);
	if (!p) {
		pthread_mutex_lock(&make_lock);
		p = atomic_load_explicit(&the_printer, memory_order_relaxed);
		if (!p) {
			p = malloc(sizeof *p);
			p->dpi = 600; // NORACE
			p->pages = 0;
			atomic_store_explicit(&the_printer, p, memory_order_release);
		}
		pthread_mutex_unlock(&make_lock);
	}
	return p;
}

static void *print(void *arg)
{
	(void)arg;
	return (void *)(long)printer()->dpi;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, print, NULL);
	pthread_create(&b, NULL, print, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
