// racerx: --no-unlockset
/*
 * four_paths.c without the correction: the path that does not exist makes a false cycle, which shows that it is
 * the unlockset that removes it there.
 */
#include <linux/kthread.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(boot_lock);
static DEFINE_SPINLOCK(queue_lock);
static int booting, queued;
int boot_finished(void);
void queue_wait(void);

int flusher(void *data)
{
	if (booting)
		spin_lock(&boot_lock);
	queued = 0;
	if (!boot_finished())
		spin_unlock(&boot_lock);
	for (;;) {
		spin_lock(&queue_lock); /* DEADLOCK@a */
		queued--;
		spin_unlock(&queue_lock);
		queue_wait();
	}
}

void boot_done(void)
{
	spin_lock(&queue_lock);
	if (queued) {
		spin_lock(&boot_lock); /* DEADLOCK@a */
		booting = 0;
		spin_unlock(&boot_lock);
	}
	spin_unlock(&queue_lock);
}
