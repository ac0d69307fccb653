/* Who frees an object with its lock held leaves nothing behind; who forgets the lock on another way does. */
#include <pthread.h>
#include <stdlib.h>

struct feed { pthread_mutex_t lock; int readers, dead; char *text; };

int feed_close(struct feed *feed)
{
	pthread_mutex_lock(&feed->lock);
	if (--feed->readers == 0) {
		pthread_mutex_destroy(&feed->lock);
		free(feed->text);
		free(feed);
		return 0; /* NOLEAK */
	}
	pthread_mutex_unlock(&feed->lock);
	return 0;
}

static void feed_free(struct feed *feed)
{
	free(feed->text);
	free(feed);
}

int feed_drop(struct feed *feed)
{
	pthread_mutex_lock(&feed->lock);
	if (feed->dead) {
		feed_free(feed);
		return 1; /* NOLEAK */
	}
	pthread_mutex_unlock(&feed->lock);
	return 0;
}

int feed_open(struct feed *feed)
{
	pthread_mutex_lock(&feed->lock);
	if (feed->dead) {
		free(feed->text);
		return -1; /* LEAK */
	}
	feed->readers++;
	pthread_mutex_unlock(&feed->lock);
	return 0;
}
