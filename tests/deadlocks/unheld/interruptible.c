/* A lock that a signal interrupted is not held: letting it go is an error, and so is forgetting it otherwise. */
#include <linux/mutex.h>
#include <linux/semaphore.h>

struct channel { struct mutex lock; struct mutex config; int open, rate; };

int channel_open(struct channel *channel)
{
	if (mutex_lock_interruptible(&channel->lock)) {
		mutex_unlock(&channel->lock); /* UNHELD */
		return -EINTR;
	}
	channel->open++;
	mutex_unlock(&channel->lock); /* NOUNHELD */
	return 0;
}

int channel_rate(struct channel *channel, int rate)
{
	int error = mutex_lock_killable(&channel->config);
	if (error)
		return error; /* NOLEAK */
	if (rate <= 0)
		return -EINVAL; /* LEAK */
	channel->rate = rate;
	mutex_unlock(&channel->config);
	return 0; /* NOLEAK */
}
