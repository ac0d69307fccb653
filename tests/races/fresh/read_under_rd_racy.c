#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* shared/exclusive wrappers, as in an older code base */
struct sx { pthread_rwlock_t rw; const char *name; };

static void sx_init(struct sx *s, const char *n) { pthread_rwlock_init(&s->rw, NULL); s->name = n; }
static void sx_slock(struct sx *s)   { pthread_rwlock_rdlock(&s->rw); }
static void sx_xlock(struct sx *s)   { pthread_rwlock_wrlock(&s->rw); }
static void sx_unlock(struct sx *s)  { pthread_rwlock_unlock(&s->rw); }

static struct sx zone_lock;
static struct zone { unsigned serial; int nrec; int dirty; } zone;

static unsigned zone_serial(void)
{
	unsigned s;
	sx_slock(&zone_lock);
	s = zone.serial;
	sx_unlock(&zone_lock);
	return s;
}

static void zone_update(int delta)
{
	sx_xlock(&zone_lock);
	zone.nrec += delta;
	zone.serial++;
	zone.dirty = 1;
	sx_unlock(&zone_lock);
}

static int zone_flush(void)
{
	int was;

	sx_slock(&zone_lock);
	was = zone.dirty;
	zone.dirty = 0; // RACE!
	sx_unlock(&zone_lock);
	return was;
}

static void *updater(void *a)
{
	int i;
	for (i = 0; i < 200; i++)
		zone_update(i & 1 ? 1 : -1);
	return a;
}

static void *flusher(void *a)
{
	int i, n = 0;
	unsigned last = 0;
	for (i = 0; i < 200; i++) {
		n += zone_flush();
		last = zone_serial();
	}
	printf("%d flushes, serial %u\n", n, last);
	return a;
}

int main(void)
{
	pthread_t u, f1, f2;
	sx_init(&zone_lock, "zone");
	pthread_create(&u, NULL, updater, NULL);
	pthread_create(&f1, NULL, flusher, NULL);
	pthread_create(&f2, NULL, flusher, NULL);
	pthread_join(u, NULL);
	pthread_join(f1, NULL);
	pthread_join(f2, NULL);
	return 0;
}
