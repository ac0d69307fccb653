/* The conditional lock, and one caller that returns without letting it go. */
#include <linux/spinlock.h>

struct swap_info { unsigned int flags; int used; };
static DEFINE_SPINLOCK(swap_lock);
static struct swap_info swap_info[32];

static struct swap_info *swap_info_get(unsigned long entry)
{
	if (!entry)
		return NULL;
	spin_lock(&swap_lock);
	return &swap_info[entry & 31];
}

int swap_free(unsigned long entry)
{
	struct swap_info *p = swap_info_get(entry);
	if (!p)
		return -EINVAL; /* NOLEAK */
	if (!p->used)
		return -ENOENT; /* LEAK */
	p->used--;
	spin_unlock(&swap_lock);
	return 0; /* NOLEAK */
}
