#include <linux/workqueue.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include <linux/fs.h>

struct fsinfo {
	struct rw_semaphore sem;
	struct workqueue_struct *wq;
	struct work_struct reclaim;
	long freed;
};

static void do_reclaim(struct fsinfo *fi)
{
	down_write(&fi->sem);
	fi->freed++;
	up_write(&fi->sem);
}

static void reclaim_fn(struct work_struct *work)
{
	do_reclaim(container_of(work, struct fsinfo, reclaim));
}

static int fs_sync(struct super_block *sb, int wait)
{
	struct fsinfo *fi = sb->s_fs_info;

	down_read(&fi->sem);
	queue_work(fi->wq, &fi->reclaim);
	up_read(&fi->sem);
	if (wait)
		flush_workqueue(fi->wq);
	return 0;
}

static const struct super_operations fs_ops = {
	.sync_fs = fs_sync,
};

int fs_fill(struct super_block *sb, void *data, int silent)
{
	struct fsinfo *fi = kzalloc(sizeof(*fi), GFP_KERNEL);

	if (!fi)
		return -ENOMEM;
	init_rwsem(&fi->sem);
	INIT_WORK(&fi->reclaim, reclaim_fn);
	fi->wq = alloc_workqueue("fs", 0, 0);
	sb->s_fs_info = fi;
	sb->s_op = &fs_ops;
	return 0;
}
EXPORT_SYMBOL(fs_fill);
