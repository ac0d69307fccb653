/* Code that runs before anything else can turn the order round; it is gone when others begin. */
#include <linux/init.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(bus_lock);
static DEFINE_MUTEX(driver_lock);
static int buses, drivers;

int driver_add(void)
{
	mutex_lock(&bus_lock);
	mutex_lock(&driver_lock); /* NODEADLOCK */
	drivers += buses;
	mutex_unlock(&driver_lock);
	mutex_unlock(&bus_lock);
	return 0;
}

static int __init bus_init(void)
{
	mutex_lock(&driver_lock);
	mutex_lock(&bus_lock); /* NODEADLOCK */
	buses = 1;
	mutex_unlock(&bus_lock);
	mutex_unlock(&driver_lock);
	return 0;
}
core_initcall(bus_init);
