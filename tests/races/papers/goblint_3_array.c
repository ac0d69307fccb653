/* Goblint, example 3: an array of locks for an array of data, index by index; and once off by one. */
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mtxs[1024], other_mtxs[1024];
static int data[1024], other_data[1024];

static void *t1(void *argument)
{
	int i = (int)(intptr_t)argument;
	pthread_mutex_lock(&mtxs[i]);
	data[i]++; /* NORACE */
	pthread_mutex_unlock(&mtxs[i]);
	pthread_mutex_lock(&other_mtxs[i]);
	other_data[i]--;
	other_data[i + 1]++; /* RACE */
	pthread_mutex_unlock(&other_mtxs[i]);
	return NULL;
}

int main(void)
{
	pthread_t threads[8];
	for (int i = 0; i < 1024; i++) {
		pthread_mutex_init(&mtxs[i], NULL);
		pthread_mutex_init(&other_mtxs[i], NULL);
	}
	for (intptr_t i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, t1, (void *)(i / 2));
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
