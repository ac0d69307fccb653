/* guard() lets go at the end of its scope, by whatever way; until then the lock counts. */
#include <linux/cleanup.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(list_lock);
static DEFINE_MUTEX(owner_lock);
static int items, owners;

int item_add(int owner)
{
	guard(mutex)(&list_lock);
	if (owner < 0)
		return -EINVAL; /* NOLEAK */
	items++;
	mutex_lock(&owner_lock); /* DEADLOCK@a */
	owners = owner;
	mutex_unlock(&owner_lock);
	return 0; /* NOLEAK */
}

int owner_drop(void)
{
	mutex_lock(&owner_lock);
	scoped_guard(mutex, &list_lock) { /* DEADLOCK@a */
		items--;
	}
	owners = 0;
	mutex_unlock(&owner_lock);
	return items;
}
