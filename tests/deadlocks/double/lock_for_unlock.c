/* Lock written where unlock was meant: the holder takes it again, and comes back with it. */
#include <linux/mutex.h>

static DEFINE_MUTEX(shelf_lock);
static int books;

int shelf_put(int n)
{
	mutex_lock(&shelf_lock);
	if (books + n > 100) {
		mutex_lock(&shelf_lock); /* DOUBLE-LOCK */
		return -ENOSPC; /* LEAK */
	}
	books += n;
	mutex_unlock(&shelf_lock);
	return 0; /* NOLEAK */
}
