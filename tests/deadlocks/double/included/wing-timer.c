void wing_tick(struct device *device)
{
	pthread_mutex_lock(&device->lock); /* NODOUBLE-LOCK */
	finish(device);
	pthread_mutex_unlock(&device->lock);
}
