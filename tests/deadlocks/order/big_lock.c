/* The big kernel lock is let go while its holder sleeps, but not while it spins. */
#include <linux/smp_lock.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(file_lock);
static int files;

int file_open(void)
{
	lock_kernel();
	spin_lock(&file_lock); /* DEADLOCK@a */
	files++;
	spin_unlock(&file_lock);
	unlock_kernel();
	return 0;
}

int file_close(void)
{
	spin_lock(&file_lock);
	lock_kernel(); /* DEADLOCK@a */
	files--;
	unlock_kernel();
	spin_unlock(&file_lock);
	return 0;
}
