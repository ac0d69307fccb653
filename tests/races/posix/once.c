/* pthread_once runs its function one time, before any of the callers goes on. */
#include <pthread.h>

static pthread_once_t table_once = PTHREAD_ONCE_INIT;
static int table_size;
static int lazy_size;

static void table_setup(void)
{
	table_size = 256; /* NORACE */
}

static int lazy_setup(void)
{
	if (!lazy_size) /* RACE */
		lazy_size = 256; /* RACE */
	return 0;
}

static void *worker(void *argument)
{
	pthread_once(&table_once, table_setup);
	if (table_size == 256) /* NORACE */
		lazy_setup();
	return argument;
}

int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
