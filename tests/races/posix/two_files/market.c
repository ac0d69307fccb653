/* The price is set under the lock here and read without it in the other file; each has its own static `calls`. */
#include "share.h"

pthread_mutex_t share_lock = PTHREAD_MUTEX_INITIALIZER;
int share_price;
static int calls;

static void *trade(void *argument)
{
	share_enter();
	share_price++; /* RACE@a */
	share_leave();
	calls++; /* NORACE */
	return argument;
}

int main(void)
{
	pthread_t trader, watcher;
	pthread_create(&trader, NULL, trade, NULL);
	pthread_create(&watcher, NULL, price_watch, NULL);
	pthread_join(trader, NULL);
	pthread_join(watcher, NULL);
	return share_price + calls; /* NORACE */
}
