/* own_desk.c with a desk for each clerk, and drawers that nobody else finds. */
#include <pthread.h>
#include <stdlib.h>

struct drawer { int papers; int stamps; };
struct desk { struct drawer *drawer; int letters; };
static __thread struct desk *desk;
static __thread struct drawer *drawer;

static void drawer_fill(struct drawer *d)
{
	d->papers++; /* NORACE */
	d->stamps++; /* NORACE */
}

static void work(void)
{
	drawer_fill(drawer);
	desk->letters++; /* NORACE */
}

static void *clerk(void *argument)
{
	desk = argument;
	drawer = calloc(1, sizeof *drawer);
	for (int i = 0; i < 10; i++)
		work();
	return NULL;
}

int main(void)
{
	pthread_t clerks[4];
	for (int i = 0; i < 4; i++) {
		struct desk *one = calloc(1, sizeof *one);
		pthread_create(&clerks[i], NULL, clerk, one);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(clerks[i], NULL);
	return 0;
}
