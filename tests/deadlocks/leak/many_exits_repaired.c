/* More different ways out than are told apart: those that differ in what they return only are joined, and the last one is
   seen as well. */
#include <linux/mutex.h>

struct dock { struct mutex left, right, inner; int load; };

int dock_enter(struct dock *d, int how)
{
	if (how & 1)
		mutex_lock(&d->left);
	if (how & 2)
		mutex_lock(&d->right);
	if (d->load == 4)
		return -1;
	if (d->load == 5)
		return 0;
	if (d->load == 6)
		return 1;
	mutex_lock(&d->inner);
	if (d->load == 7) {
		mutex_unlock(&d->inner);
		return 2; /* NOLEAK */
	}
	mutex_unlock(&d->inner);
	return 0;
}
void dock_leave(struct dock *d, int how)
{
	if (how & 2)
		mutex_unlock(&d->right);
	if (how & 1)
		mutex_unlock(&d->left);
}
int dock_visit(struct dock *d, int how)
{
	int result = dock_enter(d, how);
	dock_leave(d, how);
	return result;
}
