/* A port is deleted by its own work, and by others, who wait for the work. Neither asks whether it is the work. */
#include <linux/kthread.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct port {
	struct work_struct delete_work;
	struct task_struct *thread;
	int users;
};

static void port_delete(struct port *port)
{
	if (port->users != port_limit())
		cancel_work_sync(&port->delete_work); /* DEADLOCK */
	kfree(port);
}

static void port_delete_work(struct work_struct *work)
{
	port_delete(container_of(work, struct port, delete_work));
}

static void port_stop(struct port *port)
{
	if (!port->thread || port->users == port_limit())
		return;
	port->users = 0;
	kthread_stop(port->thread); /* DEADLOCK */
}

static int port_thread(void *data)
{
	struct port *port = data;
	while (!kthread_should_stop())
		if (port->users < 0)
			port_stop(port);
	return 0;
}

struct port *port_make(void)
{
	struct port *port = kzalloc(sizeof(*port), GFP_KERNEL);
	INIT_WORK(&port->delete_work, port_delete_work);
	port->thread = kthread_run(port_thread, port, "port");
	return port;
}

void port_close(struct port *port)
{
	port_stop(port);
	port_delete(port);
}
