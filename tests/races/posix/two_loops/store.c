/* Only the server has a store: the load generator uses the loop, too, in several threads, but is linked without it. */
#include "loop.h"
static int flushes;
void store_flush(void)
{
	flushes++; /* NORACE */
}
