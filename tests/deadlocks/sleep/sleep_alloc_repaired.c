/* Allocating before the lock, without sleeping, or with flags that only the caller knows. */
#include <linux/slab.h>
#include <linux/spinlock.h>

struct entry { struct entry *next; int key; };
struct table { spinlock_t lock; struct entry *first; };

int table_add(struct table *table, int key)
{
	struct entry *entry = kmalloc(sizeof(*entry), GFP_KERNEL); /* NOSLEEP */
	if (!entry)
		return -ENOMEM;
	entry->key = key;
	spin_lock(&table->lock);
	entry->next = table->first;
	table->first = entry;
	spin_unlock(&table->lock);
	return 0;
}

static struct entry *entry_copy(const struct entry *from, gfp_t flags)
{
	return kmemdup(from, sizeof(*from), flags); /* NOSLEEP */
}

struct entry *table_first(struct table *table)
{
	struct entry *copy = NULL, *spare;
	spin_lock(&table->lock);
	spare = kzalloc(sizeof(*spare), GFP_ATOMIC); /* NOSLEEP */
	if (table->first && spare)
		copy = entry_copy(table->first, GFP_ATOMIC);
	spin_unlock(&table->lock);
	kfree(spare);
	return copy ? entry_copy(copy, GFP_KERNEL) : NULL;
}
