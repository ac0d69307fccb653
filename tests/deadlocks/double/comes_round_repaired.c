/* A pool that lets go before it begins anew; a door whose lock is taken in the first round only. */
#include <pthread.h>
#include <stdlib.h>

struct pool { pthread_mutex_t busy; void *free[8]; int count; };
static struct pool pool = {.busy = PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static int inside, wanted;

static int refill(struct pool *p)
{
	while (p->count < 8)
		p->free[p->count++] = malloc(64);
	return p->count;
}

static void *pool_take(struct pool *p)
{
	void *found;
	for (;;) {
		pthread_mutex_lock(&p->busy); /* NODOUBLE-LOCK */
		if (p->count > 0)
			break;
		if (!refill(p)) {
			pthread_mutex_unlock(&p->busy);
			return NULL;
		}
		pthread_mutex_unlock(&p->busy);
	}
	found = p->free[--p->count];
	pthread_mutex_unlock(&p->busy);
	return found;
}

static void enter(int who)
{
	int locked = 0;
begin:
	if (!locked) {
		pthread_mutex_lock(&door); /* NODOUBLE-LOCK */
		locked = 1;
	}
	if (inside > 3) {
		wanted += who;
		goto begin;
	}
	inside++;
	pthread_mutex_unlock(&door);
}

static void *guest(void *arg)
{
	free(pool_take(&pool));
	enter(1);
	return arg;
}

int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, guest, NULL);
	pthread_create(&two, NULL, guest, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
