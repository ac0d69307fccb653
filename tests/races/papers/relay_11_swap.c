/* RELAY, Figure 11: a result that is not NULL comes with the lock. */
#include <linux/spinlock.h>

struct swap_info { int flags; int pages; unsigned short *swap_map; };
typedef struct { unsigned long val; } swp_entry_t;

static struct swap_info swap_info[8];
static DEFINE_SPINLOCK(swap_lock);

static struct swap_info *swap_info_get(swp_entry_t entry)
{
	struct swap_info *p;
	if (!entry.val)
		goto out;
	p = &swap_info[entry.val >> 24];
	spin_lock(&swap_lock);
	return p;
out:
	return NULL;
}

static void swap_entry_free(struct swap_info *p)
{
	p->pages--; /* NORACE */
}

void swap_free(swp_entry_t entry)
{
	struct swap_info *p = swap_info_get(entry);
	if (p) {
		swap_entry_free(p);
		spin_unlock(&swap_lock);
	}
}

int swap_count(swp_entry_t entry)
{
	struct swap_info *p = swap_info_get(entry);
	int count = 0;
	if (p) {
		count = p->pages; /* NORACE */
		spin_unlock(&swap_lock);
	}
	return count;
}

void swap_on(struct swap_info *p) { spin_lock(&swap_lock); p->pages = 0; /* NORACE */ spin_unlock(&swap_lock); }
void swap_add(struct swap_info *p) { spin_lock(&swap_lock); p->pages++; /* NORACE */ spin_unlock(&swap_lock); }
void swap_off(struct swap_info *p) { spin_lock(&swap_lock); p->pages = -1; /* NORACE */ spin_unlock(&swap_lock); }
