/* The lock is taken only when the last reference goes. */
#include <linux/refcount.h>
#include <linux/spinlock.h>

struct image { refcount_t references; struct image *next; };
static DEFINE_SPINLOCK(images_lock);
static DEFINE_SPINLOCK(freed_lock);
static struct image *images;
static int freed;

void image_put(struct image *image)
{
	if (!refcount_dec_and_lock(&image->references, &images_lock)) {
		spin_lock(&freed_lock); /* NODEADLOCK */
		freed--;
		spin_unlock(&freed_lock);
		return; /* NOLEAK */
	}
	images = image->next;
	spin_unlock(&images_lock); /* NOUNHELD */
}

void image_purge(void)
{
	spin_lock(&freed_lock);
	spin_lock(&images_lock); /* NODEADLOCK */
	images = NULL;
	freed = 0;
	spin_unlock(&images_lock);
	spin_unlock(&freed_lock);
}
