/* The static lock comes first here. If it were the other file's, that would be a cycle. */
#include "shared.h"

struct mutex shared_lock;
static DEFINE_MUTEX(lock);
static int count;

static void update(int value)
{
	mutex_lock(&shared_lock); /* NODEADLOCK */
	count = value;
	mutex_unlock(&shared_lock);
}

void second_set(int value)
{
	mutex_lock(&lock);
	update(value);
	mutex_unlock(&lock);
}
