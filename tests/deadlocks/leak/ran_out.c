/* A loop that is left with the lock, or runs out without it: whether it ran out is asked in other words afterwards. */
#include <linux/mutex.h>
#include <linux/spinlock.h>

struct mailbox { spinlock_t lock; int pending, tries, sent; };

int mailbox_find(struct mailbox *boxes, int most)
{
	int i;
	for (i = 0; i < most; i++) {
		spin_lock(&boxes->lock);
		if (boxes->pending == i)
			break;
		spin_unlock(&boxes->lock);
	}
	if (i == most)
		return -ENOENT; /* NOLEAK */
	boxes->pending = 0;
	spin_unlock(&boxes->lock); /* NOUNHELD */
	return i;
}

int mailbox_take(struct mailbox *boxes, int most)
{
	int i;
	for (i = 0; i < most; i++) {
		spin_lock(&boxes->lock);
		if (boxes->pending == i)
			break;
		spin_unlock(&boxes->lock);
	}
	if (i < most)
		return -EBUSY; /* LEAK */
	boxes->sent = most;
	return 0;
}
