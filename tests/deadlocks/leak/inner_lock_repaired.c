/* A lock in a record that is a member of another: taken by a wrapper that is given the member, let go by a function
 * that does more, or asks for the lock in its header. Both mean the same lock. */
#include <linux/mutex.h>

struct box { struct mutex lock; int count; };
struct crate { int kind; struct box box; int mark; };

static inline void box_lock(struct box *box)
{
	mutex_lock(&box->lock);
}

static void box_unlock(struct box *box)
{
	box->count = 0;
	mutex_unlock(&box->lock);
}

static inline void box_release(struct box *box)
	__releases(&box->lock)
{
	mutex_unlock(&box->lock);
}

static int box_reserve(struct box *box)
{
	if (box->count > 3)
		return -EBUSY;
	box->count++;
	return 0;
}

int crate_mark(struct crate *crate, int mark)
{
	box_lock(&crate->box);
	if (box_reserve(&crate->box)) {
		box_unlock(&crate->box);
		return -EBUSY; /* NOLEAK */
	}
	crate->mark = mark;
	box_unlock(&crate->box); /* NOUNHELD */
	return 0; /* NOLEAK */
}

int crate_clear(struct crate *crate)
{
	box_lock(&crate->box);
	crate->mark = 1;
	box_unlock(&crate->box);
	box_lock(&crate->box); /* NODOUBLE-LOCK */
	crate->mark = 2;
	box_release(&crate->box);
	box_lock(&crate->box); /* NODOUBLE-LOCK */
	crate->mark = 3;
	box_release(&crate->box);
	return 0;
}
