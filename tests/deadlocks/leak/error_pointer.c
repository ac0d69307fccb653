/* Conditional locking by an error pointer. */
#include <linux/err.h>
#include <linux/mutex.h>

struct port { struct mutex lock; int number; };
static struct port ports[8];

static struct port *port_lock(int number)
{
	if (number >= 8)
		return ERR_PTR(-EINVAL);
	mutex_lock(&ports[number].lock);
	return &ports[number]; /* NOLEAK */
}

int port_rename(int number, int name)
{
	struct port *port = port_lock(number);
	if (IS_ERR(port))
		return PTR_ERR(port); /* NOLEAK */
	port->number = name;
	mutex_unlock(&port->lock); /* NOUNHELD */
	return 0;
}
