// racerx-verdict: shown
/* An inode that was made is in its file system's list, and still its maker's; one that was looked up is not. */
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct node { struct inode inode; spinlock_t lock; int size, links; };

static DEFINE_SPINLOCK(inodes_lock);
static LIST_HEAD(inodes);

struct inode *new_inode(struct super_block *sb)
{
	struct inode *inode = sb->s_op->alloc_inode(sb);

	if (inode) {
		spin_lock(&inodes_lock);
		list_add(&inode->i_sb_list, &inodes);
		spin_unlock(&inodes_lock);
	}
	return inode;
}

static struct inode *node_new(struct super_block *sb, int mode)
{
	struct inode *inode = new_inode(sb);

	if (!inode)
		return ERR_PTR(-ENOMEM);
	inode->i_mode = mode;
	return inode;
}

int node_make(struct super_block *sb, int mode)
{
	struct inode *inode = node_new(sb, mode);
	struct node *node;

	if (IS_ERR(inode))
		return PTR_ERR(inode);
	node = container_of(inode, struct node, inode);
	node->size = 4; /* NORACE */
	return 0;
}

int node_take(struct super_block *sb, unsigned long number)
{
	struct inode *inode = ilookup(sb, number);
	struct node *node;

	if (!inode)
		return -ENOENT;
	node = container_of(inode, struct node, inode);
	node->links++; /* RACE */
	return 0;
}

void node_grow(struct node *n, int by) { spin_lock(&n->lock); n->size += by; n->links++; spin_unlock(&n->lock); }
void node_cut(struct node *n) { spin_lock(&n->lock); n->size = 0; n->links--; spin_unlock(&n->lock); }
int node_size(struct node *n) { int s; spin_lock(&n->lock); s = n->size + n->links; spin_unlock(&n->lock); return s; }
int node_empty(struct node *n) { int s; spin_lock(&n->lock); s = !n->size || !n->links; spin_unlock(&n->lock); return s; }
