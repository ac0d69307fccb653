/* Wrappers that are macros: what is reported is the line where they are used. */
#include <linux/spinlock.h>

struct pool { spinlock_t pool_lock; int free; };
struct page_list { spinlock_t page_lock; struct pool *pool; int count; };
#define POOL_LOCK(p) do { if ((p)->free >= 0) spin_lock(&(p)->pool_lock); else spin_lock(&(p)->pool_lock); } while (0)
#define POOL_UNLOCK(p) spin_unlock(&(p)->pool_lock)
#define with_pages(l, body) ({ spin_lock(&(l)->page_lock); body; spin_unlock(&(l)->page_lock); })

void list_refill(struct page_list *list)
{
	POOL_LOCK(list->pool);
	with_pages(list, list->count += list->pool->free); /* DEADLOCK@a */
	list->pool->free = 0;
	POOL_UNLOCK(list->pool);
}

void list_drain(struct page_list *list)
{
	spin_lock(&list->page_lock);
	POOL_LOCK(list->pool); /* DEADLOCK@a */
	list->pool->free += list->count;
	POOL_UNLOCK(list->pool);
	list->count = 0;
	spin_unlock(&list->page_lock);
}
