/* RELAY's conditional locking: swap_info_get comes back with the lock exactly when it gives a pointer. */
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
	spin_lock(&swap_lock); /* DEADLOCK@a */
	return p;
out:
	return NULL; /* NOLEAK */
}

void swap_free(swp_entry_t entry)
{
	struct swap_info *p = swap_info_get(entry);
	if (p) {
		p->used--;
		spin_lock(&device_lock); /* DEADLOCK@a */
		devices--;
		spin_unlock(&device_lock);
		spin_unlock(&swap_lock); /* NOUNHELD */
	}
}

int swap_probe(swp_entry_t entry)
{
	struct swap_info *p;
	spin_lock(&device_lock);
	p = swap_info_get(entry);
	if (!p) {
		spin_unlock(&device_lock);
		return 0;
	}
	devices += p->used;
	spin_unlock(&swap_lock);
	spin_unlock(&device_lock);
	return 1; /* NOLEAK */
}
