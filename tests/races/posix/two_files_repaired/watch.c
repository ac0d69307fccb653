#include "share.h"

static int calls;

int price_read(void)
{
	int price;
	calls++; /* NORACE */
	share_enter();
	price = share_price; /* NORACE */
	share_leave();
	return price;
}

void *price_watch(void *argument)
{
	return price_read() > 10 ? argument : NULL;
}
