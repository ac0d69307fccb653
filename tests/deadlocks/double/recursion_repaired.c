/* Recursion below the lock, after the lock, and in a circle of two functions. */
#include <linux/mutex.h>

struct directory { struct directory *parent, *first, *next; struct mutex lock; int size; };
static DEFINE_MUTEX(tree_lock);

static void grow(struct directory *directory, int amount)
{
	directory->size += amount;
	if (directory->parent)
		grow(directory->parent, amount);
}

void directory_grow(struct directory *directory, int amount)
{
	mutex_lock(&tree_lock);
	grow(directory, amount);
	mutex_unlock(&tree_lock);
}

void directory_touch(struct directory *directory)
{
	mutex_lock(&tree_lock); /* NODOUBLE-LOCK */
	directory->size++;
	mutex_unlock(&tree_lock);
	if (directory->parent)
		directory_touch(directory->parent);
}

static void visit_children(struct directory *directory);
static void visit(struct directory *directory)
{
	mutex_lock(&directory->lock); /* NODOUBLE-LOCK */
	directory->size = 0;
	visit_children(directory);
	mutex_unlock(&directory->lock);
}
static void visit_children(struct directory *directory)
{
	for (struct directory *child = directory->first; child; child = child->next)
		visit(child);
}
void directory_clear(struct directory *directory) { visit(directory); }
