#include <linux/seqlock.h>
#include <linux/module.h>
#include <linux/ktime.h>

static struct {
	seqlock_t seq;
	u64 base_ns;
	u32 mult;
	u32 shift;
} toyclock = { .seq = __SEQLOCK_UNLOCKED(toyclock.seq) };

u64 toyclock_read(u64 cycles)
{
	unsigned int s;
	u64 ns;

	do {
		s = read_seqbegin(&toyclock.seq);
		ns = toyclock.base_ns + ((cycles * toyclock.mult) >> toyclock.shift);
	} while (read_seqretry(&toyclock.seq, s));
	return ns;
}
EXPORT_SYMBOL(toyclock_read);

void toyclock_settime(u64 ns)
{
	write_seqlock(&toyclock.seq);
	toyclock.base_ns = ns;
	write_sequnlock(&toyclock.seq);
}
EXPORT_SYMBOL(toyclock_settime);

void toyclock_set_rate(u32 mult, u32 shift)
{
	write_seqlock(&toyclock.seq);
	toyclock.mult = mult;
	toyclock.shift = shift;
	write_sequnlock(&toyclock.seq);
}
EXPORT_SYMBOL(toyclock_set_rate);

void toyclock_adjust(s64 delta)
{
	write_seqlock(&toyclock.seq);
	toyclock.base_ns += delta; // NORACE
	write_sequnlock(&toyclock.seq);
}
EXPORT_SYMBOL(toyclock_adjust);
MODULE_LICENSE("GPL");
