#include <stddef.h>
#include "plugin.h"

static int ticks;

static int clock_start(void) { ticks = 0; return 0; }
static void clock_event(int code)
{
	(void)code;
	__atomic_fetch_add(&ticks, 1, __ATOMIC_SEQ_CST);
	host_log("clock", __atomic_load_n(&ticks, __ATOMIC_SEQ_CST));
}

const struct plugin clock_plugin = { "clock", clock_start, clock_event };
