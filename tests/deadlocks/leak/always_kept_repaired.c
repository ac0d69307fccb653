/* Every way lets it go; a begin keeps it for its end, which nobody here calls after it; start-up keeps what ends with
   it. */
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include <linux/init.h>

struct kennel { struct mutex lock, gate; struct work_struct purge; int dogs, fed, walked, open; };
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
	mutex_unlock(&k->lock);
} /* NOLEAK */
static void kennel_walk(struct kennel *k)
{
	mutex_lock(&k->lock);
	k->walked += k->dogs;
	mutex_unlock(&k->lock);
} /* NOLEAK */
int kennel_day(struct kennel *k)
{
	kennel_walk(k);
	return 0; /* NOLEAK */
}

int gate_state(struct kennel *k)
{
	mutex_lock(&k->gate);
	int open = k->open;
	mutex_unlock(&k->gate);
	return open;
}
void gate_open(struct kennel *k)
{
	mutex_lock(&k->gate);
	k->open = 1;
	mutex_unlock(&k->gate);
}
void gate_close(struct kennel *k)
{
	mutex_lock(&k->gate);
	k->open = 0;
	mutex_unlock(&k->gate);
}
void gate_begin(struct kennel *k)
{
	mutex_lock(&k->gate);
	k->walked++;
} /* NOLEAK */
void gate_end(struct kennel *k)
{
	k->walked--;
	mutex_unlock(&k->gate); /* NOUNHELD */
}
static int __init kennel_start(void)
{
	mutex_lock(&kennel.lock);
	kennel.dogs = 2;
	return 0; /* NOLEAK */
}
module_init(kennel_start);

void kennel_open(struct kennel *k)
{
	INIT_WORK(&k->purge, kennel_purge);
	schedule_work(&k->purge);
}
