/* An assertion is a fact, and a belief: nobody in sight takes the lock for this function, and it is held all the same. */
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct group { struct mutex mutex; int members; int leader; };

void group_join_locked(struct group *g)
{
	lockdep_assert_held(&g->mutex);
	g->members++; /* NORACE */
}

void group_lead(struct group *g, int who)
{
	mutex_lock(&g->mutex);
	g->leader = who; /* NORACE */
	g->members++; /* NORACE */
	mutex_unlock(&g->mutex);
}

void group_leave(struct group *g)
{
	mutex_lock(&g->mutex);
	g->members--; /* NORACE */
	mutex_unlock(&g->mutex);
}
