/* leak.c repaired; and ways out that do not come back. */
#include <linux/mutex.h>
#include <linux/spinlock.h>

struct disk { struct mutex lock; spinlock_t queue_lock; int open, queued, broken; };
int disk_spin_up(struct disk *disk);

int disk_open(struct disk *disk)
{
	int error = -EIO;
	mutex_lock(&disk->lock);
	if (disk->open < 0)
		panic("disk: %d users", disk->open);
	if (disk->broken)
		goto out;
	error = disk_spin_up(disk);
	if (!error)
		disk->open++;
out:
	mutex_unlock(&disk->lock);
	return error;
}

int disk_drain(struct disk *disk)
{
	unsigned long flags;
	while (disk->open) {
		spin_lock_irqsave(&disk->queue_lock, flags);
		if (!disk->queued) {
			spin_unlock_irqrestore(&disk->queue_lock, flags);
			break;
		}
		disk->queued--;
		spin_unlock_irqrestore(&disk->queue_lock, flags);
	}
	return disk->open;
}

int disk_command(struct disk *disk, int command)
{
	int error = 0;
	mutex_lock(&disk->lock);
	switch (command) {
	case 0:
		disk->open = 0;
		break;
	case 1:
		mutex_unlock(&disk->lock);
		return disk_spin_up(disk);
	case 2:
		BUG();
	default:
		error = -EINVAL;
	}
	mutex_unlock(&disk->lock);
	return error;
}
