#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>

struct visit_log {
	spinlock_t lock;
	u32 count;
	u32 last_uid;
};

static struct visit_log vlog = { .lock = __SPIN_LOCK_UNLOCKED(vlog.lock) };

static int visits_show(struct seq_file *m, void *v)
{
	spin_lock(&vlog.lock);
	seq_printf(m, "%u %u\n", vlog.count, vlog.last_uid);
	spin_unlock(&vlog.lock);
	return 0;
}

static int visits_open(struct inode *inode, struct file *file)
{
	spin_lock(&vlog.lock);
	vlog.count++;
	vlog.last_uid = current_uid().val;
	spin_unlock(&vlog.lock);
	return single_open(file, visits_show, NULL);
}

static ssize_t visits_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	spin_lock(&vlog.lock);
	vlog.count = 0; // NORACE
	spin_unlock(&vlog.lock);
	return n;
}

static const struct proc_ops visits_ops = {
	.proc_open = visits_open,
	.proc_read = seq_read,
	.proc_write = visits_write,
};

static int __init visits_init(void)
{
	return proc_create("visits", 0644, NULL, &visits_ops) ? 0 : -ENOMEM;
}
module_init(visits_init);
