/* A static lock and a static helper, of the same names as in the other file: others than there. */
#include "shared.h"

static DEFINE_MUTEX(lock);
static int count;

static void update(int value)
{
	mutex_lock(&lock); /* NODEADLOCK */
	count = value;
	mutex_unlock(&lock);
}

void first_set(int value)
{
	mutex_lock(&shared_lock);
	update(value);
	mutex_unlock(&shared_lock);
}
