/*
 * Without the correlation of the pointer with the lock there would be a leak, an unlock of what is not held,
 * and an order swap_lock -> device_lock on the way where nothing was got.
 */
#include <linux/spinlock.h>

struct swap_info { unsigned int flags; unsigned char *map; int used; };
typedef struct { unsigned long val; } swp_entry_t;

static DEFINE_SPINLOCK(swap_lock);
static DEFINE_SPINLOCK(device_lock);
static struct swap_info swap_info[32];
static int devices;

static struct swap_info *swap_info_get(swp_entry_t entry)
{
	struct swap_info *p;
	if (!entry.val)
		goto out;
	p = &swap_info[entry.val & 31];
	if (!(p->flags & 1))
		goto out;
	spin_lock(&swap_lock);
	if (!p->map[entry.val])
		goto out_unlock;
	return p;
out_unlock:
	spin_unlock(&swap_lock);
out:
	return NULL;
}

int swap_free(swp_entry_t entry)
{
	struct swap_info *p = swap_info_get(entry);
	if (!p) {
		spin_lock(&device_lock); /* NODEADLOCK */
		devices--;
		spin_unlock(&device_lock);
		return -1; /* NOLEAK */
	}
	p->used--;
	spin_unlock(&swap_lock); /* NOUNHELD */
	return 0;
}

int swap_probe(swp_entry_t entry)
{
	struct swap_info *p;
	int used = 0;
	spin_lock(&device_lock);
	p = swap_info_get(entry); /* NODEADLOCK */
	if (p) {
		used = p->used;
		spin_unlock(&swap_lock);
	}
	spin_unlock(&device_lock);
	return used;
}
