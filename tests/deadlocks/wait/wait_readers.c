/* Readers do not wait for readers; a writer does. */
#include <linux/rwsem.h>
#include <linux/srcu.h>
#include <linux/workqueue.h>

struct link { struct rw_semaphore names, routes; struct work_struct scan; int found; };
DEFINE_STATIC_SRCU(link_srcu);

static void link_scan(struct work_struct *work)
{
	struct link *link = container_of(work, struct link, scan);
	int index = srcu_read_lock(&link_srcu); /* NODEADLOCK */
	down_read(&link->names); /* NODEADLOCK */
	link->found++;
	up_read(&link->names);
	down_read(&link->routes); /* DEADLOCK@a */
	link->found++;
	up_read(&link->routes);
	srcu_read_unlock(&link_srcu, index);
}
void link_start(struct link *link) { INIT_WORK(&link->scan, link_scan); schedule_work(&link->scan); }

void link_pause(struct link *link)
{
	int index = srcu_read_lock(&link_srcu);
	down_read(&link->names);
	cancel_work_sync(&link->scan); /* NODEADLOCK */
	up_read(&link->names);
	srcu_read_unlock(&link_srcu, index);
}
void link_stop(struct link *link)
{
	down_write(&link->routes);
	cancel_work_sync(&link->scan); /* DEADLOCK@a */
	up_write(&link->routes);
}
