/* Routes: takes its own lock, then the links', in the other file. */
#include "locks.h"

struct mutex route_lock;
static int count;

void route_flush(void)
{
	mutex_lock(&route_lock); /* DEADLOCK@a */
	count = 0;
	mutex_unlock(&route_lock);
}

void route_add(void)
{
	mutex_lock(&route_lock);
	count += link_count();
	mutex_unlock(&route_lock);
}
