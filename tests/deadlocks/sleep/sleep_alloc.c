/* An allocation that may sleep, under a spinning lock, here and below a call. */
#include <linux/slab.h>
#include <linux/spinlock.h>

struct entry { struct entry *next; int key; };
struct table { spinlock_t lock; struct entry *first; };

int table_add(struct table *table, int key)
{
	struct entry *entry;
	spin_lock(&table->lock);
	entry = kmalloc(sizeof(*entry), GFP_KERNEL); /* SLEEP */
	if (!entry) {
		spin_unlock(&table->lock);
		return -ENOMEM;
	}
	entry->key = key;
	entry->next = table->first;
	table->first = entry;
	spin_unlock(&table->lock);
	return 0;
}

static struct entry *entry_copy(const struct entry *from)
{
	return kmemdup(from, sizeof(*from), GFP_KERNEL | __GFP_ZERO); /* SLEEP */
}

struct entry *table_first(struct table *table)
{
	struct entry *copy = NULL;
	spin_lock(&table->lock);
	if (table->first)
		copy = entry_copy(table->first);
	spin_unlock(&table->lock);
	return copy;
}
