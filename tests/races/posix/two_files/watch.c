#include "share.h"

static int calls;

int price_read(void)
{
	calls++; /* NORACE */
	return share_price; /* RACE@a */
}

void *price_watch(void *argument)
{
	return price_read() > 10 ? argument : NULL;
}
