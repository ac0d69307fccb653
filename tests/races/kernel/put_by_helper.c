// racerx-verdict: shown
/* A helper puts the request in the port's queue, and only then its maker fills it in. */
struct request { int id; int state; struct request *next; };
struct port { spinlock_t lock; struct request *first; };

static void port_put(struct port *port, struct request *request)
{
	spin_lock(&port->lock);
	request->next = port->first;
	port->first = request;
	spin_unlock(&port->lock);
}

static void port_finish(struct port *port)
{
	spin_lock(&port->lock);
	if (port->first) {
		port->first->state = 2;
		port->first = port->first->next;
	}
	spin_unlock(&port->lock);
}

static void port_retry(struct port *port)
{
	spin_lock(&port->lock);
	if (port->first && port->first->state == 2)
		port->first->state = 1;
	spin_unlock(&port->lock);
}

static ssize_t port_write(struct file *file, const char *text, size_t size, loff_t *at)
{
	struct port *port = file->private_data;
	struct request *request = kmalloc(sizeof(*request), GFP_KERNEL);
	if (!request)
		return -ENOMEM;
	request->id = text[0];
	port_put(port, request);
	request->state = 0; /* TODO RACE: what a helper stores where another parameter points stays its caller's own */
	return size;
}

static ssize_t port_read(struct file *file, char *text, size_t size, loff_t *at)
{
	port_finish(file->private_data);
	port_retry(file->private_data);
	return 0;
}

static const struct file_operations port_fops = { .read = port_read, .write = port_write };
