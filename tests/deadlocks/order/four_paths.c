/*
 * The slides' four paths, of which two exist: what is locked under a condition is unlocked under the same one,
 * said in other words. boot_lock goes "too far" only on a path that does not exist; no unlock of it can
 * be reached from the loop, so the unlockset takes it away.
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
		spin_lock(&queue_lock); /* NODEADLOCK */
		queued--;
		spin_unlock(&queue_lock);
		queue_wait();
	}
}

void boot_done(void)
{
	spin_lock(&queue_lock);
	if (queued) {
		spin_lock(&boot_lock); /* NODEADLOCK */
		booting = 0;
		spin_unlock(&boot_lock);
	}
	spin_unlock(&queue_lock);
}
