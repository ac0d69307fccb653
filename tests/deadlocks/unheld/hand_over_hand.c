/* Lock coupling: the next node is locked before this one is let go; the names move on with the pointers. */
#include <linux/spinlock.h>

struct node { spinlock_t lock; int key; struct node *next; };

int list_find(struct node *head, int key)
{
	struct node *node = head, *next;
	int found;
	spin_lock(&node->lock);
	while (node->next && node->key < key) {
		next = node->next;
		spin_lock(&next->lock); /* NODOUBLE-LOCK */
		spin_unlock(&node->lock); /* NOUNHELD */
		node = next;
	}
	found = node->key == key;
	spin_unlock(&node->lock); /* NOUNHELD */
	return found; /* NOLEAK */
}
