/* Work and threads of a kernel, started and waited for through pointers, copies, helpers and a handle that is cleared. */
#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

struct disk {
	struct mutex lock, queue_lock;
	struct task_struct *flusher;
	struct work_struct *retry;
	struct timer_list timeout;
	int dirty;
};

static int disk_flush(void *data)
{
	struct disk *disk = data;
	mutex_lock(&disk->lock); /* DEADLOCK@a */
	disk->dirty = 0;
	mutex_unlock(&disk->lock);
	return 0;
}
static void disk_retry(struct work_struct *work)
{
	struct disk *disk = work_data(work);
	mutex_lock(&disk->queue_lock); /* DEADLOCK@b */
	disk->dirty++;
	mutex_unlock(&disk->queue_lock);
}
static void disk_timeout(struct timer_list *timer)
{
	struct disk *disk = container_of(timer, struct disk, timeout);
	disk->dirty++;
}

static void arm(struct timer_list *timer, void (*function)(struct timer_list *)) { timer_setup(timer, function, 0); }
static void disarm(struct timer_list *timer) { del_timer_sync(timer); /* NODEADLOCK */ }

int disk_start(struct disk *disk)
{
	struct task_struct *task = kthread_run(disk_flush, disk, "flush");
	struct work_struct *work = disk->retry;
	if (IS_ERR(task))
		return PTR_ERR(task);
	disk->flusher = task;
	INIT_WORK(work, disk_retry);
	arm(&disk->timeout, disk_timeout);
	return 0;
}

void disk_stop(struct disk *disk)
{
	struct task_struct *task;
	mutex_lock(&disk->lock);
	task = disk->flusher;
	disk->flusher = NULL;
	if (task)
		kthread_stop(task); /* DEADLOCK@a */
	mutex_unlock(&disk->lock);
	mutex_lock(&disk->queue_lock);
	disarm(&disk->timeout);
	flush_work(disk->retry); /* DEADLOCK@b */
	mutex_unlock(&disk->queue_lock);
}
