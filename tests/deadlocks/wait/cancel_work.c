/* cancel_work_sync waits for the work, which waits for the mutex held here; a helper does the waiting. */
#include <linux/mutex.h>
#include <linux/workqueue.h>

struct scanner { struct mutex lock; struct work_struct work; int pages; };

static void scanner_work(struct work_struct *work)
{
	struct scanner *scanner = container_of(work, struct scanner, work);
	mutex_lock(&scanner->lock); /* DEADLOCK@a */
	scanner->pages++;
	mutex_unlock(&scanner->lock);
}

void scanner_start(struct scanner *scanner)
{
	mutex_init(&scanner->lock);
	INIT_WORK(&scanner->work, scanner_work);
	schedule_work(&scanner->work);
}

static void scanner_quiesce(struct scanner *scanner)
{
	cancel_work_sync(&scanner->work); /* DEADLOCK@a */
}

void scanner_stop(struct scanner *scanner)
{
	mutex_lock(&scanner->lock);
	scanner_quiesce(scanner);
	scanner->pages = 0;
	mutex_unlock(&scanner->lock);
}
