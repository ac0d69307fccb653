// A lock that is taken where there is one is kept where the box is empty.
#include <pthread.h>

struct box {
	pthread_mutex_t *lock;
	int items;
};

#define BOX_LOCK(b) ((b) && (b)->lock ? pthread_mutex_lock((b)->lock) : 0)
#define BOX_UNLOCK(b) ((b) && (b)->lock ? pthread_mutex_unlock((b)->lock) : 0)

int box_add(struct box *b)
{
	int rv;

	if ((rv = BOX_LOCK(b)) != 0)
		return -1; // NOLEAK
	b->items++;
	BOX_UNLOCK(b); // TODO NOUNHELD: that the lock is not there, and that taking it failed, become one state
	return rv;
}

int box_less(struct box *b)
{
	if (BOX_LOCK(b) != 0)
		return -1; // NOLEAK
	if (b->items == 0)
		return 1; // LEAK!
	b->items--;
	BOX_UNLOCK(b);
	return 0;
}
