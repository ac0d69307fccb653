#include <pthread.h>
#include "loop.h"
static void *client(void *argument)
{
	struct loop loop = { 0 };
	loop_run(&loop);
	return argument;
}
int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, client, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
