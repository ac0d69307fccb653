/* A reader of a sequence lock holds nothing: that a writer let go inside the loop is no mistake. */
#include <linux/seqlock.h>
#include <linux/spinlock.h>

struct ring { seqlock_t lock; int waiting, flushed; };
static DEFINE_SPINLOCK(rings_lock);
static int rings;

void ring_flush(struct ring *ring)
{
	unsigned seq;
	do {
		seq = read_seqbegin(&ring->lock);
		if (ring->waiting) {
			write_seqlock(&ring->lock);
			ring->flushed++;
			write_sequnlock(&ring->lock); /* NOUNHELD */
		}
	} while (read_seqretry(&ring->lock, seq)); /* NOUNHELD */
}

void ring_wait(struct ring *ring, int most)
{
	write_seqlock(&ring->lock);
	if (ring->waiting > most) {
		ring->flushed = 0;
		write_sequnlock(&ring->lock);
		return;
	}
	ring->waiting++;
	write_sequnlock(&ring->lock); /* NOUNHELD */
}

void ring_count(void)
{
	spin_lock(&rings_lock);
	rings++;
	spin_unlock(&rings_lock);
}
