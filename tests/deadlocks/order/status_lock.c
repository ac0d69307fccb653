/* Conditional locking by a status: the lock is held exactly when the result is not negative. */
#include <linux/mutex.h>

struct port { struct mutex lock; int open, gone; struct port_group *group; };
struct port_group { struct mutex lock; int users; };

static int port_get(struct port *port)
{
	int ret = mutex_lock_interruptible(&port->lock); /* DEADLOCK@a */
	if (ret)
		return ret;
	if (port->gone) {
		mutex_unlock(&port->lock);
		return -ENODEV;
	}
	return 0;
}

int port_open(struct port *port)
{
	int ret = port_get(port);
	if (ret < 0)
		return ret; /* NOLEAK */
	port->open++;
	mutex_lock(&port->group->lock); /* DEADLOCK@a */
	port->group->users++;
	mutex_unlock(&port->group->lock);
	mutex_unlock(&port->lock); /* NOUNHELD */
	return 0;
}

int group_sync(struct port_group *group, struct port *port)
{
	int ret;
	mutex_lock(&group->lock);
	ret = port_get(port);
	if (ret)
		goto out;
	group->users = port->open;
	mutex_unlock(&port->lock);
out:
	mutex_unlock(&group->lock);
	return ret; /* NOLEAK */
}
