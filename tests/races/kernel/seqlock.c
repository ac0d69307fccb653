/* Readers of a sequence lock look twice, and may read what is being written. */
#include <linux/seqlock.h>
#include <linux/spinlock.h>

static DEFINE_SEQLOCK(time_lock);
static DEFINE_SPINLOCK(drift_lock);
static u64 seconds, nanoseconds;
static int drift;

void time_tick(void)
{
	write_seqlock(&time_lock);
	nanoseconds += 1000000; /* NORACE */
	if (nanoseconds >= 1000000000) { /* NORACE */
		nanoseconds = 0; /* NORACE */
		seconds++; /* NORACE */
	}
	write_sequnlock(&time_lock);
}

u64 time_read(void)
{
	unsigned int start;
	u64 now;
	do {
		start = read_seqbegin(&time_lock);
		now = seconds * 1000000000 + nanoseconds; /* NORACE */
	} while (read_seqretry(&time_lock, start));
	return now;
}

void time_set(u64 now)
{
	write_seqlock(&time_lock);
	seconds = now; /* NORACE */
	nanoseconds = 0; /* NORACE */
	write_sequnlock(&time_lock);
	spin_lock(&drift_lock);
	drift = 0; /* NORACE */
	spin_unlock(&drift_lock);
}
