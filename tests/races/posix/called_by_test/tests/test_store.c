#include <pthread.h>
#include "store.h"

static void *work(void *unused)
{
	for (int i = 0; i < 100; i++)
		store_put(i);
	store_reset();
	store_take();
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return (int)store_get();
}
