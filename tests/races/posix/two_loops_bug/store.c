/* The load generator flushes the store, too, in several threads. */
#include "loop.h"
static int flushes;
void store_flush(void)
{
	flushes++; /* RACE */
}
