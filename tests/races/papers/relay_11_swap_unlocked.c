// racerx-verdict: shown
/* RELAY, Figure 11, with an access on the way where there is no lock. */
#include <linux/spinlock.h>

struct swap_info { int flags; int pages; };
typedef struct { unsigned long val; } swp_entry_t;

static struct swap_info swap_info[8];
static DEFINE_SPINLOCK(swap_lock);

static struct swap_info *swap_info_get(swp_entry_t entry)
{
	if (!entry.val)
		return NULL;
	spin_lock(&swap_lock);
	return &swap_info[entry.val >> 24];
}

void swap_free(swp_entry_t entry, struct swap_info *spare)
{
	struct swap_info *p = swap_info_get(entry);
	if (p) {
		p->pages--;
		spin_unlock(&swap_lock);
	} else {
		spare->pages--; /* RACE */
	}
}

void swap_on(struct swap_info *p) { spin_lock(&swap_lock); p->pages = 0; spin_unlock(&swap_lock); }
void swap_add(struct swap_info *p) { spin_lock(&swap_lock); p->pages++; spin_unlock(&swap_lock); }
void swap_off(struct swap_info *p) { spin_lock(&swap_lock); p->pages = -1; spin_unlock(&swap_lock); }
void swap_half(struct swap_info *p) { spin_lock(&swap_lock); p->pages /= 2; spin_unlock(&swap_lock); }
int swap_full(struct swap_info *p) { int f; spin_lock(&swap_lock); f = p->pages > 99; spin_unlock(&swap_lock); return f; }
int swap_none(struct swap_info *p) { int f; spin_lock(&swap_lock); f = p->pages == 0; spin_unlock(&swap_lock); return f; }
int swap_size(struct swap_info *p) { int f; spin_lock(&swap_lock); f = p->pages; spin_unlock(&swap_lock); return f; }
void swap_fill(struct swap_info *p, int n) { spin_lock(&swap_lock); p->pages = n; spin_unlock(&swap_lock); }
