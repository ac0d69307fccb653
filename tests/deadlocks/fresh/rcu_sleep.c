#include <linux/rcupdate.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/firmware.h>

struct module_info {
	struct list_head list;
	int id;
	char name[32];
	const struct firmware *fw;
};

static LIST_HEAD(modules);

static int load_one(struct module_info *m)
{
	m->fw = NULL;
	return request_firmware(&m->fw, m->name, NULL); /* SLEEP */
}

static int prepare(struct module_info *m)
{
	if (m->fw)
		return 0;
	return load_one(m);
}

int module_ready(int id)
{
	struct module_info *m;
	int ret = -ENOENT;

	rcu_read_lock();
	list_for_each_entry_rcu(m, &modules, list) {
		if (m->id != id)
			continue;
		ret = prepare(m);
		break;
	}
	rcu_read_unlock();
	return ret;
}
EXPORT_SYMBOL(module_ready);
