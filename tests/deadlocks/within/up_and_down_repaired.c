/* The child's lock first, here and there. */
#include <pthread.h>
#include <stddef.h>

struct folder { struct folder *parent; pthread_mutex_t mtx; long files, total; };
static struct folder root = { NULL, PTHREAD_MUTEX_INITIALIZER, 0, 0 };
static struct folder inbox = { &root, PTHREAD_MUTEX_INITIALIZER, 0, 0 };

static void folder_count(struct folder *folder)
{
	pthread_mutex_lock(&folder->mtx);
	folder->files++;
	if (folder->parent) {
		pthread_mutex_lock(&folder->parent->mtx);
		folder->parent->total++;
		pthread_mutex_unlock(&folder->parent->mtx);
	}
	pthread_mutex_unlock(&folder->mtx);
}

static void folder_flush(struct folder *folder)
{
	struct folder *above = folder->parent;
	pthread_mutex_lock(&folder->mtx);
	pthread_mutex_lock(&above->mtx);
	above->total -= folder->files;
	folder->files = 0;
	pthread_mutex_unlock(&folder->mtx);
	pthread_mutex_unlock(&above->mtx);
}

static void *deliver(void *argument)
{
	for (int i = 0; i < 100; i++)
		folder_count(argument);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, deliver, &inbox);
	for (int i = 0; i < 10; i++)
		folder_flush(&inbox);
	pthread_join(thread, NULL);
	return 0;
}
