// Scopes of locks that are spelled as loops of one round, in several clothes; a break out of one keeps the lock.
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define SYNCHRONIZED(m)                                                                                                \
	for (bool JOIN(go, __LINE__) = (pthread_mutex_lock(m), true); JOIN(go, __LINE__);                              \
	     JOIN(go, __LINE__) = false, pthread_mutex_unlock(m))
#define COUNTED(m) for (int n_ = (pthread_mutex_lock(m), 0); n_ < 1; n_++, pthread_mutex_unlock(m))
#define NEGATED(m) for (int done_ = 0; !done_ && pthread_mutex_lock(m) == 0; done_ = !done_, pthread_mutex_unlock(m))

struct depot {
	pthread_mutex_t door, yard;
	int parcels, trucks;
};
static struct depot depot = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, 0, 0};

static pthread_mutex_t *enter(pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
	return m;
}

static void leave(pthread_mutex_t *m) { pthread_mutex_unlock(m); }

#define SCOPED(m) for (pthread_mutex_t *held_ = enter(m), *end_ = NULL; held_ != end_; leave(held_), held_ = NULL)

static void load(struct depot *d)
{
	SYNCHRONIZED(&d->door) {
		d->parcels--;
		COUNTED(&d->yard) /* DEADLOCK@a */
			d->trucks++;
	}
}

static void *unload(void *arg)
{
	struct depot *d = arg;
	SCOPED(&d->yard) {
		d->trucks--;
		NEGATED(&d->door) /* DEADLOCK@a */
			d->parcels++;
	}
	return NULL;
}

static int look(struct depot *d, int want)
{
	int found = -1;
	SYNCHRONIZED(&d->door) {
		if (d->parcels == want)
			break;
		found = d->parcels;
	}
	return found; /* LEAK */
}

static void *loader(void *arg)
{
	load(arg);
	return look(arg, 3) < 0 ? arg : NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, loader, &depot);
	pthread_create(&b, NULL, unload, &depot);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
