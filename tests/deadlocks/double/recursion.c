/* A function that calls itself with its lock held takes it twice; the walk ends at the second entry. */
#include <linux/mutex.h>

struct directory { struct directory *parent; int size; };
static DEFINE_MUTEX(tree_lock);
static int depth;

void directory_grow(struct directory *directory, int amount)
{
	mutex_lock(&tree_lock); /* DOUBLE-LOCK */
	directory->size += amount;
	depth++;
	if (directory->parent)
		directory_grow(directory->parent, amount);
	mutex_unlock(&tree_lock);
}
