/* work_container.c with the printer let go before its spool is taken. */
#include <linux/mutex.h>
#include <linux/workqueue.h>

struct printer { struct mutex lock; struct work_struct work; struct spool *spool; int page; };
struct spool { struct mutex lock; int jobs; };

static void printer_work(struct work_struct *work)
{
	struct printer *printer = container_of(work, struct printer, work);
	int job;
	mutex_lock(&printer->spool->lock);
	job = printer->spool->jobs--;
	mutex_unlock(&printer->spool->lock);
	mutex_lock(&printer->lock); /* NODEADLOCK */
	printer->page = job;
	mutex_unlock(&printer->lock);
}

void spool_add(struct spool *spool, struct printer *printer)
{
	mutex_lock(&spool->lock);
	spool->jobs++;
	mutex_lock(&printer->lock); /* NODEADLOCK */
	printer->page = 0;
	mutex_unlock(&printer->lock);
	mutex_unlock(&spool->lock);
	INIT_WORK(&printer->work, printer_work);
	schedule_work(&printer->work);
}
