/* Every clerk has a desk in thread-local storage: one it was given, and a drawer that it made. The last drawer is also
   left where the porter finds it, and all clerks of the second floor were given the same desk. */
#include <pthread.h>
#include <stdlib.h>

struct drawer { int papers; int stamps; };
struct desk { struct drawer *drawer; int letters; };
static __thread struct desk *desk;
static __thread struct drawer *drawer;
static struct drawer *found;
static pthread_mutex_t found_lock = PTHREAD_MUTEX_INITIALIZER;

static void drawer_fill(struct drawer *d)
{
	d->papers++; /* RACE@porter */
	d->stamps++; /* NORACE */
}

static void work(void)
{
	drawer_fill(drawer);
	desk->letters++; /* RACE */
}

static void *clerk(void *argument)
{
	desk = argument;
	drawer = calloc(1, sizeof *drawer);
	pthread_mutex_lock(&found_lock);
	found = drawer; /* NORACE */
	pthread_mutex_unlock(&found_lock);
	for (int i = 0; i < 10; i++)
		work();
	return NULL;
}

static void *porter(void *argument)
{
	pthread_mutex_lock(&found_lock);
	if (found)
		found->papers = 0; /* RACE@porter */
	pthread_mutex_unlock(&found_lock);
	return argument;
}

int main(void)
{
	pthread_t clerks[4], other;
	struct desk *shared = calloc(1, sizeof *shared);
	for (int i = 0; i < 4; i++)
		pthread_create(&clerks[i], NULL, clerk, shared);
	pthread_create(&other, NULL, porter, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(clerks[i], NULL);
	pthread_join(other, NULL);
	return 0;
}
