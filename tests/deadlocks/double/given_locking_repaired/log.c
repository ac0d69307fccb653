/* A macro that is given what locks and what unlocks does both, in its own order. */
// racerx: --preset linux
#include <linux/spinlock.h>
#include "sleep.h"

struct log { spinlock_t lock; int done; struct queue queue; };
#define LOG_LOCK(log) spin_lock_irq(&(log)->lock)
#define LOG_UNLOCK(log) spin_unlock_irq(&(log)->lock)

int log_commit(struct log *log)
{
	LOG_LOCK(log);
	SLEEP_UNTIL(log->queue, log->done, LOG_LOCK(log), LOG_UNLOCK(log)); /* NODOUBLE-LOCK */
	LOG_UNLOCK(log);
	return 0;
}
