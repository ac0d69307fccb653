/* The tree says itself what guards are: those of declared kinds are taken at their word, others by their macros. */
#include "cleanup.h"
#include <linux/mutex.h>

struct device { struct mutex lock; int power; };
void device_lock(struct device *device) { mutex_lock(&device->lock); }
void device_unlock(struct device *device) { mutex_unlock(&device->lock); }
DEFINE_GUARD(mutex, struct mutex *, mutex_lock(_T), mutex_unlock(_T))
DEFINE_GUARD(device, struct device *, device_lock(_T), device_unlock(_T))

static DEFINE_MUTEX(list_lock);
static DEFINE_MUTEX(owner_lock);
static int items, owners;

int item_add(int owner)
{
	guard(mutex)(&list_lock);
	if (owner < 0)
		return -EINVAL; /* NOLEAK */
	mutex_lock(&owner_lock); /* DEADLOCK@a */
	owners = owner;
	mutex_unlock(&owner_lock);
	return 0;
}

int owner_drop(void)
{
	mutex_lock(&owner_lock);
	scoped_guard(mutex, &list_lock) { /* DEADLOCK@a */
		items--;
	}
	mutex_unlock(&owner_lock);
	return items;
}

int device_on(struct device *device)
{
	guard(device)(device); /* DEADLOCK@b */
	mutex_lock(&list_lock); /* DEADLOCK@b */
	items++;
	mutex_unlock(&list_lock);
	return 0; /* NOLEAK */
}

int device_off(struct device *device)
{
	guard(mutex)(&list_lock); /* DEADLOCK@b */
	guard(device)(device); /* DEADLOCK@b */ /* NODOUBLE-LOCK */
	device->power = 0;
	return items; /* NOLEAK */
}
