/* Every way of looking at the result of a lock that can be interrupted. */
#include <linux/mutex.h>
#include <linux/semaphore.h>

struct channel { struct mutex lock; struct semaphore sem; int open, rate; };

int channel_open(struct channel *channel)
{
	if (mutex_lock_interruptible(&channel->lock))
		return -EINTR;
	channel->open++;
	mutex_unlock(&channel->lock);
	return 0;
}

int channel_close(struct channel *channel)
{
	int ret = 0;
	if (mutex_lock_interruptible(&channel->lock) != 0)
		return -ERESTARTSYS;
	if (!channel->open) {
		ret = -EINVAL;
		goto out;
	}
	channel->open--;
out:
	mutex_unlock(&channel->lock);
	return ret;
}

int channel_rate(struct channel *channel, int rate)
{
	int error;
	error = down_interruptible(&channel->sem);
	if (error < 0)
		return error;
	channel->rate = rate;
	up(&channel->sem);
	return 0;
}

int channel_wait(struct channel *channel)
{
	int error;
	if ((error = mutex_lock_killable(&channel->lock)) == 0) {
		channel->open = 1;
		mutex_unlock(&channel->lock);
	}
	return error;
}

int channel_swap(struct channel *channel, int rate)
{
	int old = -1;
	if (down_killable(&channel->sem) == 0) {
		old = channel->rate;
		channel->rate = rate;
		up(&channel->sem);
	}
	return old;
}
