/* Wrappers need no entry in any table: a function that leaves a lock held is followed, through two levels; findings
   belong to where it is called. */
#include <linux/spinlock.h>

struct bus { spinlock_t lock; int devices; };
struct device { spinlock_t lock; struct bus *bus; int state; };

static void bus_lock(struct bus *bus) { spin_lock(&bus->lock); } /* NODEADLOCK */
static void bus_unlock(struct bus *bus) { spin_unlock(&bus->lock); }
static void raw_device_lock(struct device *device)
{
	spin_lock(&device->lock); /* NODEADLOCK */
}
static void device_lock(struct device *device) { raw_device_lock(device); }
static void device_unlock(struct device *device) { spin_unlock(&device->lock); }

void device_add(struct device *device)
{
	bus_lock(device->bus);
	device_lock(device); /* DEADLOCK@a */
	device->state = 1;
	device->bus->devices++;
	device_unlock(device);
	bus_unlock(device->bus);
}

void device_remove(struct device *device)
{
	device_lock(device);
	device->state = 0;
	bus_lock(device->bus); /* DEADLOCK@a */
	device->bus->devices--;
	bus_unlock(device->bus);
	device_unlock(device);
}
