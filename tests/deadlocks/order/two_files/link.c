/* Links: takes its own lock, then the routes', in the other file. */
#include "locks.h"

struct mutex link_lock;
static int count;

int link_count(void)
{
	int result;
	mutex_lock(&link_lock); /* DEADLOCK@a */
	result = count;
	mutex_unlock(&link_lock);
	return result;
}

void link_down(void)
{
	mutex_lock(&link_lock);
	count--;
	route_flush();
	mutex_unlock(&link_lock);
}
