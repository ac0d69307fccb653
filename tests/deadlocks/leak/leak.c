/* Error paths that forget the lock: a return, a break out of the loop that holds it, a rung missed. */
#include <linux/mutex.h>
#include <linux/spinlock.h>

struct disk { struct mutex lock; spinlock_t queue_lock; int open, queued, broken; };
int disk_spin_up(struct disk *disk);

int disk_open(struct disk *disk)
{
	int error;
	mutex_lock(&disk->lock);
	if (disk->broken)
		return -EIO; /* LEAK */
	error = disk_spin_up(disk);
	if (!error)
		disk->open++;
	mutex_unlock(&disk->lock);
	return error; /* NOLEAK */
}

int disk_drain(struct disk *disk)
{
	unsigned long flags;
	while (disk->open) {
		spin_lock_irqsave(&disk->queue_lock, flags);
		if (!disk->queued)
			break;
		disk->queued--;
		spin_unlock_irqrestore(&disk->queue_lock, flags);
	}
	return disk->open; /* LEAK */
}

int disk_reset(struct disk *disk, int hard)
{
	int error = -EINVAL;
	mutex_lock(&disk->lock);
	if (hard && !disk->open)
		goto out; /* jumps one label too far */
	disk->broken = 0;
	error = 0;
	mutex_unlock(&disk->lock);
out:
	return error; /* LEAK */
}
