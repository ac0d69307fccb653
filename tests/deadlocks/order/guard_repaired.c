/* The scope of the guard ends before the other lock is taken. */
#include <linux/cleanup.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(list_lock);
static DEFINE_MUTEX(owner_lock);
static int items, owners;

int item_add(int owner)
{
	{
		guard(mutex)(&list_lock);
		if (owner < 0)
			return -EINVAL;
		items++;
	}
	mutex_lock(&owner_lock); /* NODEADLOCK */
	owners = owner;
	mutex_unlock(&owner_lock);
	scoped_guard(mutex, &list_lock) { /* NODOUBLE-LOCK */
		if (items > 9)
			return 1;
		items++;
	}
	return 0;
}

int owner_drop(void)
{
	guard(mutex)(&owner_lock);
	scoped_guard(mutex, &list_lock) { /* NODEADLOCK */
		items--;
	}
	owners = 0;
	return items;
}
