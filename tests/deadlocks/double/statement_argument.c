// racerx: --preset c --preset linux
/* A macro whose arguments are statements that lock: when and how often is what the macro says, however long it is. */
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "statement_argument.h"

#define GROUP_LOCK(log) spin_lock_irq(&(log)->lock)
#define GROUP_UNLOCK(log) spin_unlock_irq(&(log)->lock)

struct log { spinlock_t lock; wait_queue_head_t queue; int done, group; };

int log_commit(struct log *log)
{
	int group;
	GROUP_LOCK(log);
	SLEEP_UNTIL(log->queue, log->done, GROUP_LOCK(log), GROUP_UNLOCK(log)); /* NODOUBLE-LOCK */
	group = log->group;
	GROUP_LOCK(log); /* DOUBLE-LOCK */
	GROUP_UNLOCK(log);
	return group;
}

void log_clear(struct log *log)
{
	spin_lock_irq(&log->lock);
	log->done = 0;
	spin_unlock_irq(&log->lock);
}
