/* A semaphore that locks: every down has its up in the same function. Its order against config_lock counts. */
#include <linux/semaphore.h>
#include <linux/spinlock.h>

struct host { struct semaphore sem; spinlock_t lock; int status, sent, errors; };
static DEFINE_MUTEX(config_lock);

void host_start(struct host *host) { sema_init(&host->sem, 1); }
void host_read(struct host *h) { down(&h->sem); h->sent++; up(&h->sem); }
void host_write(struct host *h) { down(&h->sem); h->sent--; up(&h->sem); }
void host_flush(struct host *h) { down(&h->sem); h->status = 0; up(&h->sem); }
void host_reset(struct host *h) { down(&h->sem); h->errors = 0; up(&h->sem); }

int host_configure(struct host *host)
{
	mutex_lock(&config_lock);
	down(&host->sem); /* DEADLOCK@a */
	host->status = 1;
	up(&host->sem);
	mutex_unlock(&config_lock);
	return 0;
}

int host_probe(struct host *host)
{
	if (down_interruptible(&host->sem))
		return -EINTR;
	mutex_lock(&config_lock); /* DEADLOCK@a */
	host->errors = 0;
	mutex_unlock(&config_lock);
	up(&host->sem);
	return 0;
}

void host_a(struct host *h) { spin_lock(&h->lock); h->sent++; spin_unlock(&h->lock); }
void host_b(struct host *h) { spin_lock(&h->lock); h->sent--; spin_unlock(&h->lock); }
void host_c(struct host *h) { spin_lock(&h->lock); h->errors++; spin_unlock(&h->lock); }
void host_d(struct host *h) { spin_lock(&h->lock); h->errors--; spin_unlock(&h->lock); }
