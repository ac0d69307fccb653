#include <pthread.h>
#include <string.h>

#define ZONES 12

static struct zone { char name[12]; int offset; unsigned asked; } zones[ZONES];
static pthread_rwlock_t zones_rw = PTHREAD_RWLOCK_INITIALIZER;

static int zone_offset(const char *name)
{
	int i, off = 0;

	pthread_rwlock_wrlock(&zones_rw);
	for (i = 0; i < ZONES; i++)
		if (strcmp(zones[i].name, name) == 0) {
			zones[i].asked++; // NORACE
			off = zones[i].offset;
			break;
		}
	pthread_rwlock_unlock(&zones_rw);
	return off;
}

static void zone_set(int i, const char *name, int offset)
{
	pthread_rwlock_wrlock(&zones_rw);
	strncpy(zones[i].name, name, sizeof zones[i].name - 1);
	zones[i].offset = offset; // NORACE
	pthread_rwlock_unlock(&zones_rw);
}

static void *asker(void *arg)
{
	int n, sum = 0;
	for (n = 0; n < 1000; n++)
		sum += zone_offset("CET") - zone_offset("UTC");
	return (void *)(long)sum;
	(void)arg;
}

static void *setter(void *arg)
{
	zone_set(0, "UTC", 0);
	zone_set(1, "CET", 60);
	return arg;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, 0, asker, 0);
	pthread_create(&b, 0, asker, 0);
	pthread_create(&c, 0, setter, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	return 0;
}
