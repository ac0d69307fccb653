/* Who writes a sequence lock and then writes or reads it again waits for itself. */
#include <linux/seqlock.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(alarms_lock);
struct clock { seqlock_t lock; int hours, alarms; };

void clock_set(struct clock *clock, int hours)
{
	write_seqlock(&clock->lock);
	if (hours != clock->hours)
		write_seqlock(&clock->lock); /* DOUBLE-LOCK */
	clock->hours = hours;
	write_sequnlock(&clock->lock);
}

void clock_ring(struct clock *clock)
{
	spin_lock(&alarms_lock);
	clock->alarms++;
	spin_unlock(&alarms_lock);
}
