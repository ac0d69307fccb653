/*
 * A semaphore that signals: downs wait, ups come from whoever ends the transfer, and hardly ever does one
 * follow the other in the same code. As a lock it would make a cycle with config_lock; it is none, and no leak.
 */
#include <linux/interrupt.h>
#include <linux/semaphore.h>
#include <linux/spinlock.h>

struct host { struct semaphore done; spinlock_t lock; int status, sent, errors; };
static DEFINE_MUTEX(config_lock);

static irqreturn_t host_interrupt(int irq, void *data)
{
	struct host *host = data;
	host->status = 1;
	up(&host->done); /* NOUNHELD */
	return IRQ_HANDLED;
}
void host_timeout(struct host *host) { host->status = -1; up(&host->done); }
void host_abort(struct host *host) { host->status = -2; up(&host->done); }
void host_reset(struct host *host) { host->status = -3; up(&host->done); }
void host_unplug(struct host *host) { host->status = -4; up(&host->done); }

int host_configure(struct host *host)
{
	mutex_lock(&config_lock);
	host->sent++;
	down(&host->done); /* NODEADLOCK */
	mutex_unlock(&config_lock);
	return host->status; /* NOLEAK */
}

int host_probe(struct host *host)
{
	down(&host->done);
	mutex_lock(&config_lock); /* NODEADLOCK */
	host->errors = 0;
	mutex_unlock(&config_lock);
	return host->status; /* NOLEAK */
}
int host_read(struct host *host) { host->sent++; down(&host->done); return host->status; }
int host_write(struct host *host) { host->sent += 2; down(&host->done); return host->status; }
int host_flush(struct host *host) { host->sent += 3; down(&host->done); return host->status; }

/* What a lock looks like, for comparison. */
void host_a(struct host *h) { spin_lock_irq(&h->lock); h->sent++; spin_unlock_irq(&h->lock); }
void host_b(struct host *h) { spin_lock_irq(&h->lock); h->sent--; spin_unlock_irq(&h->lock); }
void host_c(struct host *h) { spin_lock_irq(&h->lock); h->errors++; spin_unlock_irq(&h->lock); }
void host_d(struct host *h) { spin_lock_irq(&h->lock); h->errors--; spin_unlock_irq(&h->lock); }
void host_e(struct host *h) { spin_lock_irq(&h->lock); h->status++; spin_unlock_irq(&h->lock); }
void host_f(struct host *h) { spin_lock_irq(&h->lock); h->status--; spin_unlock_irq(&h->lock); }

int host_start(struct host *host)
{
	sema_init(&host->done, 0);
	return request_irq(5, host_interrupt, 0, "host", host);
}
