/* Two drivers have a function of one name; of one of them the sources are included by its first. */
#include "device.h"

static void finish(struct device *device);

#include "wing-queue.c"
#include "wing-timer.c"
