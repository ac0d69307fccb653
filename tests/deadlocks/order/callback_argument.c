/* A function handed over as an argument is called where the callee calls it, with the callee's lock. */
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(tree_lock);
static DEFINE_SPINLOCK(node_lock);
static int nodes;

static void for_each_node(void (*visit)(int node), int limit)
{
	spin_lock(&tree_lock);
	for (int i = 0; i < limit; i++)
		visit(i);
	spin_unlock(&tree_lock);
}

static void mark_node(int node)
{
	spin_lock(&node_lock); /* DEADLOCK@a */
	nodes |= 1 << node;
	spin_unlock(&node_lock);
}

void nodes_mark(void) { for_each_node(mark_node, 8); }

void node_drop(int node)
{
	spin_lock(&node_lock);
	nodes &= ~(1 << node);
	spin_lock(&tree_lock); /* DEADLOCK@a */
	nodes--;
	spin_unlock(&tree_lock);
	spin_unlock(&node_lock);
}
