/* A reader of a sequence lock holds nothing: it may become a writer, in any order with other locks. */
#include <linux/seqlock.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(alarms_lock);
struct clock { seqlock_t lock; int hours, alarms; };

void clock_wrap(struct clock *clock)
{
	unsigned int seen = read_seqbegin(&clock->lock);
	if (clock->hours < 24 && !read_seqretry(&clock->lock, seen))
		return;
	write_seqlock(&clock->lock); /* NODOUBLE-LOCK */
	clock->hours = 0;
	write_sequnlock(&clock->lock);
}

int clock_alarm(struct clock *clock)
{
	unsigned int seen;
	int hours;
	do {
		seen = read_seqbegin(&clock->lock); /* NODEADLOCK */
		hours = clock->hours;
		spin_lock(&alarms_lock); /* NODEADLOCK */
		clock->alarms++;
		spin_unlock(&alarms_lock);
	} while (read_seqretry(&clock->lock, seen));
	return hours;
}

void clock_ring(struct clock *clock)
{
	spin_lock(&alarms_lock); /* NODEADLOCK */
	write_seqlock(&clock->lock); /* NODEADLOCK */
	clock->hours++;
	write_sequnlock(&clock->lock);
	spin_unlock(&alarms_lock);
}
