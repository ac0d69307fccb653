/* out_parameter.c, mended. A local that a call was handed the address of may be anything afterwards, whatever was written to it before. */
#include <pthread.h>
#include <stddef.h>

struct item { int size; };
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
int find(int key, struct item **item);
int check(struct item *item);

int add(int key)
{
	struct item *item = NULL;
	int error;
	pthread_mutex_lock(&table_lock);
	error = find(key, &item);
	if (error) {
		pthread_mutex_unlock(&table_lock);
		return error;
	}
	if (!item) {
		pthread_mutex_unlock(&table_lock);
		return -1;
	}
	if (check(item)) {
		pthread_mutex_unlock(&table_lock);
		return -2; /* NOLEAK */
	}
	total += item->size;
	pthread_mutex_unlock(&table_lock);
	return 0;
}
