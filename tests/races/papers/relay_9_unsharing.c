// racerx-verdict: shown
// racerx: --preset linux
/* RELAY, Figure 9: what was just taken off the shared pool is written without a lock, then put on another list. */
#include <linux/list.h>
#include <linux/spinlock.h>

struct page_address_map { void *page; void *virtual; struct list_head list; };
struct page_address_slot { struct list_head lh; spinlock_t lock; };

static LIST_HEAD(page_addr_pool);
static DEFINE_SPINLOCK(pool_lock);

void set_page_address(struct page_address_slot *pas, void *page, void *virtual)
{
	struct page_address_map *pam;
	spin_lock_irq(&pool_lock);
	pam = list_entry(page_addr_pool.next, struct page_address_map, list);
	list_del(&pam->list);
	spin_unlock_irq(&pool_lock);
	pam->page = page; /* NORACE */
	pam->virtual = virtual; /* NORACE */
	spin_lock_irq(&pas->lock);
	list_add(&pam->list, &pas->lh);
	spin_unlock_irq(&pas->lock);
}

void *page_address(struct page_address_slot *pas, void *page)
{
	struct page_address_map *pam;
	void *found = NULL;
	spin_lock_irq(&pas->lock);
	list_for_each_entry(pam, &pas->lh, list)
		if (pam->page == page) /* NORACE */
			found = pam->virtual; /* NORACE */
	spin_unlock_irq(&pas->lock);
	return found;
}

void page_moved(struct page_address_slot *pas, struct page_address_map *pam, void *virtual)
{
	spin_lock_irq(&pas->lock);
	pam->virtual = virtual; /* NORACE */
	spin_unlock_irq(&pas->lock);
}
