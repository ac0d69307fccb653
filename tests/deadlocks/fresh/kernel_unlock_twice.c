#include <linux/mutex.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/device.h>

struct slave {
	struct list_head node;
	int addr;
	bool enabled;
};

struct master {
	struct mutex lock;
	struct list_head slaves;
	int count;
};

static struct slave *find_slave(struct master *m, int addr)
{
	struct slave *s;

	list_for_each_entry(s, &m->slaves, node)
		if (s->addr == addr)
			return s;
	return NULL;
}

int master_enable(struct master *m, int addr)
{
	struct slave *s;
	int ret = 0;

	mutex_lock(&m->lock);
	s = find_slave(m, addr);
	if (!s) {
		ret = -ENODEV;
		mutex_unlock(&m->lock);
		goto out;
	}
	if (s->enabled) {
		ret = -EALREADY;
		goto out;
	}
	s->enabled = true;
	m->count++;
out:
	mutex_unlock(&m->lock); /* UNHELD */
	return ret;
}
EXPORT_SYMBOL(master_enable);

void master_disable(struct master *m, int addr)
{
	struct slave *s;

	mutex_lock(&m->lock);
	s = find_slave(m, addr);
	if (s && s->enabled) {
		s->enabled = false;
		m->count--;
	}
	mutex_unlock(&m->lock);
}
EXPORT_SYMBOL(master_disable);
