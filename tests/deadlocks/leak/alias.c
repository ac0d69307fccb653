/* One lock under several names: a local pointer, a parameter, a member reached by another way. */
#include <linux/spinlock.h>

struct driver { spinlock_t lock; int users; };
struct file_state { struct driver *driver; int position; };

void driver_open(struct driver *driver)
{
	spinlock_t *lock = &driver->lock;
	spin_lock(lock);
	driver->users++;
	spin_unlock(&driver->lock); /* NOUNHELD */
} /* NOLEAK */

int file_seek(struct file_state *file, int position)
{
	struct driver *driver = file->driver;
	spin_lock(&driver->lock);
	if (position < 0) {
		spin_unlock(&file->driver->lock); /* NOUNHELD */
		return -EINVAL; /* NOLEAK */
	}
	file->position = position;
	spin_unlock(&driver->lock);
	return 0;
}

static void leave(spinlock_t *lock) { spin_unlock(lock); }

void file_close(struct file_state *file)
{
	spin_lock(&file->driver->lock);
	file->driver->users--;
	leave(&file->driver->lock);
} /* NOLEAK */
