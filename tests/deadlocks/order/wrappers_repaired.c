/* wrappers.c with the bus let go before the device is taken, and the bus first where both are held. */
#include <linux/spinlock.h>

struct bus { spinlock_t lock; int devices; };
struct device { spinlock_t lock; struct bus *bus; int state; };

static void bus_lock(struct bus *bus) { spin_lock(&bus->lock); }
static void bus_unlock(struct bus *bus) { spin_unlock(&bus->lock); }
static void device_lock(struct device *device) { spin_lock(&device->lock); } /* NODEADLOCK */
static void device_unlock(struct device *device) { spin_unlock(&device->lock); }

void device_add(struct device *device)
{
	bus_lock(device->bus);
	device_lock(device);
	device->state = 1;
	device->bus->devices++;
	device_unlock(device);
	bus_unlock(device->bus);
}

void device_remove(struct device *device)
{
	device_lock(device);
	device->state = 0;
	device_unlock(device);
	bus_lock(device->bus);
	device->bus->devices--;
	bus_unlock(device->bus);
}
