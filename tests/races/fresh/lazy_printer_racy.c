#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>

struct printer { int dpi; int pages; };

static struct printer *the_printer;
static pthread_mutex_t make_lock = PTHREAD_MUTEX_INITIALIZER;

static struct printer *printer(void)
{
	struct printer *p = the_printer; // RACE!
	if (!p) {
		pthread_mutex_lock(&make_lock);
		p = the_printer;
		if (!p) {
			p = malloc(sizeof *p);
			p->dpi = 600;
			p->pages = 0;
			the_printer = p;
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
