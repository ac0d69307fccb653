#include "device.h"

static void finish(struct device *device)
{
	pthread_mutex_lock(&device->lock); /* NODOUBLE-LOCK */
	device->queued = 0;
	pthread_mutex_unlock(&device->lock);
}

static void drain(struct device *device)
{
	pthread_mutex_lock(&device->lock); /* DOUBLE-LOCK */
	device->state = 2;
	pthread_mutex_unlock(&device->lock);
}

void stork_stop(struct device *device)
{
	pthread_mutex_lock(&device->lock);
	drain(device);
	pthread_mutex_unlock(&device->lock);
}

void stork_idle(struct device *device)
{
	pthread_mutex_lock(&device->lock); /* NODOUBLE-LOCK */
	device->state = 1;
	pthread_mutex_unlock(&device->lock);
	finish(device);
}
