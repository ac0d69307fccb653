// racerx-verdict: shown
// racerx: --preset linux
/* RELAY, Figure 9, without the removal: the entry is only looked up, and is still everybody's. */
#include <linux/list.h>
#include <linux/spinlock.h>

struct page_address_map { void *page; void *virtual; struct list_head list; };

static LIST_HEAD(page_addr_pool);
static DEFINE_SPINLOCK(pool_lock);

void set_page_address(void *virtual)
{
	struct page_address_map *pam;
	spin_lock_irq(&pool_lock);
	pam = list_entry(page_addr_pool.next, struct page_address_map, list);
	spin_unlock_irq(&pool_lock);
	pam->virtual = virtual; /* RACE */
}

void map_a(struct page_address_map *m) { spin_lock_irq(&pool_lock); m->virtual = 0; spin_unlock_irq(&pool_lock); }
void map_b(struct page_address_map *m) { spin_lock_irq(&pool_lock); m->virtual = m->page; spin_unlock_irq(&pool_lock); }
void map_c(struct page_address_map *m, void *v) { spin_lock_irq(&pool_lock); m->virtual = v; spin_unlock_irq(&pool_lock); }
int map_d(struct page_address_map *m) { int is; spin_lock_irq(&pool_lock); is = !m->virtual; spin_unlock_irq(&pool_lock); return is; }
void *map_e(struct page_address_map *m) { void *v; spin_lock_irq(&pool_lock); v = m->virtual; spin_unlock_irq(&pool_lock); return v; }
void map_f(struct page_address_map *m) { spin_lock_irq(&pool_lock); m->virtual = (char *)m->virtual + 4096; spin_unlock_irq(&pool_lock); }
int map_g(struct page_address_map *m, void *v) { int is; spin_lock_irq(&pool_lock); is = m->virtual == v; spin_unlock_irq(&pool_lock); return is; }
void map_h(struct page_address_map *m, void *v) { spin_lock_irq(&pool_lock); if (!m->virtual) m->virtual = v; spin_unlock_irq(&pool_lock); }
