#include <pthread.h>
#include "plugin.h"

static pthread_mutex_t mlock = PTHREAD_MUTEX_INITIALIZER;
static int level, peak;

static int meter_start(void)
{
	level = peak = 0;
	return 0;
}

static void meter_event(int code)
{
	pthread_mutex_lock(&mlock);
	level = code;
	pthread_mutex_unlock(&mlock);
	if (code > peak) // RACE!
		peak = code;
	host_log("meter", code);
}

const struct plugin meter_plugin = { .name = "meter", .start = meter_start, .event = meter_event };
