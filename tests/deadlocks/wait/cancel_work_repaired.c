/* The mutex is let go first; and under the mutex another work item is waited for, which does not take it. */
#include <linux/mutex.h>
#include <linux/workqueue.h>

struct scanner { struct mutex lock; struct work_struct work, blink; int pages, lamp; };

static void scanner_work(struct work_struct *work)
{
	struct scanner *scanner = container_of(work, struct scanner, work);
	mutex_lock(&scanner->lock);
	scanner->pages++;
	mutex_unlock(&scanner->lock);
}
static void scanner_blink(struct work_struct *work)
{
	struct scanner *scanner = container_of(work, struct scanner, blink);
	scanner->lamp = !scanner->lamp;
}

void scanner_start(struct scanner *scanner)
{
	INIT_WORK(&scanner->work, scanner_work);
	INIT_WORK(&scanner->blink, scanner_blink);
}

void scanner_stop(struct scanner *scanner)
{
	cancel_work_sync(&scanner->work); /* NODEADLOCK */
	mutex_lock(&scanner->lock);
	cancel_work_sync(&scanner->blink); /* NODEADLOCK */
	scanner->pages = 0;
	mutex_unlock(&scanner->lock);
}
