/* Comes back with the lock on every way, and nobody lets it go: a worker, to whom nobody is a caller, and a helper,
   whose callers know nothing of it. The others let go what they took. */
#include <linux/mutex.h>
#include <linux/workqueue.h>

struct kennel { struct mutex lock; struct work_struct purge; int dogs, fed, walked; };
static struct kennel kennel;

void kennel_add(struct kennel *k)
{
	mutex_lock(&k->lock);
	k->dogs++;
	mutex_unlock(&k->lock);
}
void kennel_feed(struct kennel *k)
{
	mutex_lock(&k->lock);
	k->fed++;
	mutex_unlock(&k->lock);
}
int kennel_count(struct kennel *k)
{
	mutex_lock(&k->lock);
	int dogs = k->dogs;
	mutex_unlock(&k->lock);
	return dogs;
}
void kennel_clean(struct kennel *k)
{
	mutex_lock(&k->lock);
	k->walked = k->fed = 0;
	mutex_unlock(&k->lock);
}
static void kennel_purge(struct work_struct *work)
{
	struct kennel *k = container_of(work, struct kennel, purge);
	mutex_lock(&k->lock);
	while (k->dogs > 0)
		k->dogs--;
} /* LEAK */
static void kennel_walk(struct kennel *k)
{
	mutex_lock(&k->lock);
	k->walked += k->dogs;
} /* LEAK */
int kennel_day(struct kennel *k)
{
	kennel_walk(k);
	return 0; /* NOLEAK */
}
void kennel_open(struct kennel *k)
{
	INIT_WORK(&k->purge, kennel_purge);
	schedule_work(&k->purge);
}
