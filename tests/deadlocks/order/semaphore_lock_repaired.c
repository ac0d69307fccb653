/* semaphore_lock.c with the mutex always first. */
#include <linux/semaphore.h>
#include <linux/spinlock.h>

struct host { struct semaphore sem; spinlock_t lock; int status, sent, errors; };
static DEFINE_MUTEX(config_lock);

void host_start(struct host *host) { sema_init(&host->sem, 1); }
void host_read(struct host *h) { down(&h->sem); h->sent++; up(&h->sem); }
void host_write(struct host *h) { down(&h->sem); h->sent--; up(&h->sem); }
void host_flush(struct host *h) { down(&h->sem); h->status = 0; up(&h->sem); }

int host_configure(struct host *host)
{
	mutex_lock(&config_lock);
	down(&host->sem); /* NODEADLOCK */
	host->status = 1;
	up(&host->sem);
	mutex_unlock(&config_lock);
	return 0;
}

int host_probe(struct host *host)
{
	mutex_lock(&config_lock);
	if (down_interruptible(&host->sem)) { /* NODEADLOCK */
		mutex_unlock(&config_lock);
		return -EINTR;
	}
	host->errors = 0;
	up(&host->sem);
	mutex_unlock(&config_lock);
	return 0;
}
void host_a(struct host *h) { spin_lock(&h->lock); h->sent++; spin_unlock(&h->lock); }
void host_b(struct host *h) { spin_lock(&h->lock); h->sent--; spin_unlock(&h->lock); }
