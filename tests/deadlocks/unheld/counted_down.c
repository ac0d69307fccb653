/* A search that counts down in its condition: when nothing is left, the lock of the last one was let go, and then let go again. */
#include <pthread.h>

struct bucket { pthread_mutex_t lock; int taken; };
static struct bucket buckets[64];

int bucket_find(int from)
{
	struct bucket *b;
	int left = 64, result = -1;
	do {
		b = &buckets[from++ & 63];
		pthread_mutex_lock(&b->lock);
		if (!b->taken)
			break;
		pthread_mutex_unlock(&b->lock);
	} while (--left > 0);
	if (left < 0)
		goto full;
	b->taken = 1;
	result = from;
	pthread_mutex_unlock(&b->lock); /* UNHELD */
full:
	return result;
}
