/* Readers that look first and lock when they must; what reads and writes memory without faults does not sleep. */
#include <linux/seqlock.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>

struct net { seqlock_t lock; int servers; spinlock_t guard; };

int net_find(struct net *net)
{
	int seq = 0, found;

	do {
		read_seqbegin_or_lock(&net->lock, &seq);
		found = net->servers;
	} while (need_seqretry(&net->lock, seq));
	done_seqretry(&net->lock, seq); /* NOUNHELD */
	return found;
}

void net_stop(struct net *net, void *to)
{
	spin_lock(&net->guard);
	copy_to_kernel_nofault(to, &net->servers, sizeof(net->servers)); /* NOSLEEP */
	spin_unlock(&net->guard);
}

int net_tell(struct net *net, void __user *to)
{
	int left;

	spin_lock(&net->guard);
	left = copy_to_user(to, &net->servers, sizeof(net->servers)); /* SLEEP */
	spin_unlock(&net->guard);
	return left;
}

static inline void read_seqbegin_or_lock(seqlock_t *lock, int *seq)
{
	if (!(*seq & 1))
		*seq = read_seqbegin(lock);
	else
		read_seqlock_excl(lock);
}

static inline int need_seqretry(seqlock_t *lock, int seq)
{
	return !(seq & 1) && read_seqretry(lock, seq);
}

static inline void done_seqretry(seqlock_t *lock, int seq)
{
	if (seq & 1)
		read_sequnlock_excl(lock);
}

long copy_to_kernel_nofault(void *dst, const void *src, size_t size)
{
	pagefault_disable();
	if (put_user(*(const char *)src, (char *)dst))
		size = 0;
	pagefault_enable();
	return size;
}
