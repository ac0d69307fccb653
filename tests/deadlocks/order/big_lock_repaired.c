/*
 * Orders of the big kernel lock that are none: waiting for the mutex, its holder has let it go; it nests; and
 * sleeping under it is allowed although it spins.
 */
#include <linux/mutex.h>
#include <linux/smp_lock.h>

static DEFINE_MUTEX(file_mutex);
static int files;

int file_open(void)
{
	lock_kernel();
	mutex_lock(&file_mutex); /* NODEADLOCK */
	files++;
	mutex_unlock(&file_mutex);
	schedule(); /* NOSLEEP */
	unlock_kernel();
	return 0;
}

int file_close(void)
{
	mutex_lock(&file_mutex);
	lock_kernel(); /* NODEADLOCK */
	files--;
	lock_kernel(); /* NODOUBLE-LOCK */
	files = files < 0 ? 0 : files;
	unlock_kernel();
	unlock_kernel();
	mutex_unlock(&file_mutex);
	return 0;
}
