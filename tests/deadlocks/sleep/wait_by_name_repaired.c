/* A macro that waits takes the lock by its name, or the queue whose own lock it is, and lets it go while it sleeps. */
typedef struct { int taken; } spinlock_t;
typedef struct wait_queue_head { spinlock_t lock; int sleepers; } wait_queue_head_t;
struct tank { spinlock_t lock, valves_lock; wait_queue_head_t empty, drained; int level, valves; };

void tank_drain(struct tank *tank)
{
	spin_lock(&tank->valves_lock);
	tank->valves = 1;
	spin_unlock(&tank->valves_lock);
	spin_lock_irq(&tank->lock);
	wait_event_lock_irq(tank->empty, tank->level == 0, tank->lock); /* NOSLEEP */
	tank->level = 9;
	spin_unlock_irq(&tank->lock);
}

int tank_wait(struct tank *tank)
{
	int error;
	spin_lock_irq(&tank->drained.lock);
	error = wait_event_interruptible_locked_irq(tank->drained, tank->valves == 0); /* NOSLEEP */
	spin_unlock_irq(&tank->drained.lock);
	return error;
}
