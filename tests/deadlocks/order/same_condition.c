/* The same condition, tested twice with nothing written between: it is taken the same way twice. */
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(slow_lock);
static DEFINE_SPINLOCK(list_lock);
struct item { int slow; int uses; struct item *next; };
static struct item *items;

void item_use(struct item *item, int locked)
{
	if (!locked)
		spin_lock(&slow_lock);
	item->uses++;
	if (!locked)
		spin_unlock(&slow_lock);
	spin_lock(&list_lock); /* NODEADLOCK */
	items = item;
	spin_unlock(&list_lock);
}

void item_drop(struct item *item)
{
	spin_lock(&list_lock);
	if (item->slow)
		spin_lock(&slow_lock); /* NODEADLOCK */
	items = item->next;
	if (item->slow)
		spin_unlock(&slow_lock);
	spin_unlock(&list_lock);
}
