// racerx-verdict: shown
/* All who touch it assert the lock; one does not, and does not take it. */
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct group { struct mutex mutex; int members; int leader; };

void group_join(struct group *g) { lockdep_assert_held(&g->mutex); g->members++; }
void group_part(struct group *g) { lockdep_assert_held(&g->mutex); g->members--; }
void group_empty(struct group *g) { lockdep_assert_held(&g->mutex); g->members = 0; }
int group_size(struct group *g) { lockdep_assert_held(&g->mutex); return g->members; }
int group_large(struct group *g) { lockdep_assert_held(&g->mutex); return g->members > 99; }
int group_single(struct group *g) { lockdep_assert_held(&g->mutex); return g->members == 1; }
void group_merge(struct group *g, int n) { lockdep_assert_held(&g->mutex); g->members += n; }
void group_cut(struct group *g, int n) { lockdep_assert_held(&g->mutex); g->members = n; }
void group_take(struct group *g) { mutex_lock(&g->mutex); g->members++; mutex_unlock(&g->mutex); }

void group_elect(struct group *g, int who)
{
	mutex_lock(&g->mutex);
	g->leader = who; /* NORACE */
	mutex_unlock(&g->mutex);
	g->members--; /* RACE */
}
