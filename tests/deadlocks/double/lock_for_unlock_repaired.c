/* As it was meant. */
#include <linux/mutex.h>

static DEFINE_MUTEX(shelf_lock);
static int books;

int shelf_put(int n)
{
	mutex_lock(&shelf_lock);
	if (books + n > 100) {
		mutex_unlock(&shelf_lock); /* NODOUBLE-LOCK */
		return -ENOSPC; /* NOLEAK */
	}
	books += n;
	mutex_unlock(&shelf_lock);
	return 0; /* NOLEAK */
}
