/* The kernel of Darwin: upgrades that let go when they fail, waits that do not take their lock again, threads that go on elsewhere. */
#include <kern/locks.h>
#include <sys/systm.h>

struct filter { lck_rw_t lock; int uses, busy; };
struct vnode { lck_mtx_t v_lock; lck_spin_t v_spin; int flags, count, idle; };
static lck_mtx_t hash_lock;
static lck_grp_t *group;

void filter_attach(struct filter *filter)
{
	lck_rw_lock_shared(&filter->lock);
	if (filter->uses) {
		if (!lck_rw_lock_shared_to_exclusive(&filter->lock))
			lck_rw_lock_exclusive(&filter->lock); /* NODOUBLE-LOCK */
		filter->busy++; /* NORACE */
	}
	lck_rw_done(&filter->lock);
}

void filter_detach(struct filter *filter)
{
	lck_rw_lock_exclusive(&filter->lock);
	filter->busy--; /* NORACE */
	lck_rw_lock_exclusive(&filter->lock); /* DOUBLE-LOCK */
	lck_rw_done(&filter->lock);
}

int vnode_wait(struct vnode *vp)
{
	lck_mtx_lock(&hash_lock);
	while (vp->flags & 1) {
		msleep(&vp->flags, &hash_lock, PVFS | PDROP, "wait", 0);
		lck_mtx_lock(&hash_lock); /* NODOUBLE-LOCK */
	}
	while (vp->flags & 2)
		msleep(&vp->flags, &hash_lock, PVFS, "wait", 0);
	lck_mtx_unlock(&hash_lock); /* NOUNHELD */
	return 0;
}

void vnode_grab(struct vnode *vp)
{
	lck_mtx_lock(&vp->v_lock);
	while (vp->count) {
		lck_mtx_sleep(&vp->v_lock, LCK_SLEEP_UNLOCK, (event_t)&vp->count, THREAD_UNINT);
		lck_mtx_lock(&vp->v_lock); /* NODOUBLE-LOCK */
	}
	lck_mtx_unlock(&vp->v_lock);
}

void vnode_park(struct vnode *vp)
{
	lck_mtx_lock(&vp->v_lock);
	if (vp->idle) {
		lck_mtx_unlock(&vp->v_lock);
		thread_block(vnode_continue);
	}
	lck_mtx_unlock(&vp->v_lock); /* NOUNHELD */
}

int vnode_copy(struct vnode *vp, user_addr_t to)
{
	int error;

	lck_spin_lock(&vp->v_spin);
	error = copyout(&vp->count, to, sizeof(vp->count)); /* SLEEP */
	lck_spin_unlock(&vp->v_spin);
	return error;
}
