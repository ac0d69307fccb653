/* The lock of the object around a work item, against a lock of a table that stores the object. */
#include <linux/mutex.h>
#include <linux/workqueue.h>

struct printer { struct mutex lock; struct work_struct work; struct spool *spool; int page; };
struct spool { struct mutex lock; int jobs; };

static void printer_work(struct work_struct *work)
{
	struct printer *printer = container_of(work, struct printer, work);
	mutex_lock(&printer->lock);
	mutex_lock(&printer->spool->lock); /* DEADLOCK@a */
	printer->page = printer->spool->jobs--;
	mutex_unlock(&printer->spool->lock);
	mutex_unlock(&printer->lock);
}

void spool_add(struct spool *spool, struct printer *printer)
{
	mutex_lock(&spool->lock);
	spool->jobs++;
	mutex_lock(&printer->lock); /* DEADLOCK@a */
	printer->page = 0;
	mutex_unlock(&printer->lock);
	mutex_unlock(&spool->lock);
	INIT_WORK(&printer->work, printer_work);
	schedule_work(&printer->work);
}
