/* The library's function is not in sight, but what it does to the tree is known: its root is changed without the lock at one place. */
// racerx: --preset linux
#include <linux/rbtree.h>
#include <linux/spinlock.h>
#include <linux/fs.h>

struct keys { spinlock_t lock; struct rb_root root; };
struct key { struct rb_node node; int once; };

static int key_add(struct keys *keys, struct key *key)
{
	spin_lock(&keys->lock);
	rb_insert_color(&key->node, &keys->root);
	spin_unlock(&keys->lock);
	return 0;
}

static int key_drop(struct keys *keys, struct key *key)
{
	spin_lock(&keys->lock);
	rb_erase(&key->node, &keys->root); /* NORACE */
	spin_unlock(&keys->lock);
	return 0;
}

static int key_renew(struct keys *keys, struct key *key)
{
	spin_lock(&keys->lock);
	rb_erase(&key->node, &keys->root); /* NORACE */
	rb_insert_color(&key->node, &keys->root); /* NORACE */
	spin_unlock(&keys->lock);
	return 0;
}

static int key_use(struct keys *keys, struct key *key)
{
	if (key->once)
		rb_erase(&key->node, &keys->root); /* RACE */
	return 0;
}

static long keys_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct keys *keys = file->private_data;
	struct key *key = (struct key *)arg;
	switch (cmd) {
	case 1: return key_add(keys, key);
	case 2: return key_drop(keys, key);
	case 3: return key_renew(keys, key);
	default: return key_use(keys, key);
	}
}

static const struct file_operations keys_fops = { .unlocked_ioctl = keys_ioctl };
