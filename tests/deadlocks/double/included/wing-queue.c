static void finish(struct device *device)
{
	device->queued = 0;
}
