/* A table of what users want to hear of: both are made without the lock. */
#include <pthread.h>
#include "watch.h"

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static struct { const struct watch_events *events; int ids[32], used; } registry;

void watch_listen(const struct watch_events *events)
{
	registry.events = events;
}

int watch_count(void)
{
	pthread_mutex_lock(&registry_lock);
	int used = registry.used;
	pthread_mutex_unlock(&registry_lock);
	return used;
}

int watch_add(int id)
{
	pthread_mutex_lock(&registry_lock);
	if (registry.used == 32) {
		pthread_mutex_unlock(&registry_lock);
		return -1;
	}
	registry.ids[registry.used++] = id;
	pthread_mutex_unlock(&registry_lock);
	registry.events->added(id);
	return 0;
}

int watch_remove(int id)
{
	int found = -1;
	pthread_mutex_lock(&registry_lock);
	for (int i = 0; i < registry.used; i++)
		if (registry.ids[i] == id) {
			registry.ids[i] = registry.ids[--registry.used];
			found = 0;
		}
	pthread_mutex_unlock(&registry_lock);
	if (!found)
		registry.events->gone(id);
	return found;
}
