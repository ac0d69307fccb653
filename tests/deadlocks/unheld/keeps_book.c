/* As keeps_book_repaired.c, but what is asked says nothing of the lock: it is not stored where the lock is taken. */
#include <linux/spinlock.h>

struct report {
	spinlock_t lock;
	int owner;
	int depth;
	int lines;
};
static struct report report;

void report_line(int processor)
{
	if (report.owner != processor) {
		spin_lock_irq(&report.lock);
		report.depth = 0;
	}
	report.depth++;
	report.lines++;
	spin_unlock_irq(&report.lock); /* UNHELD */
}

int report_lines(int processor)
{
	int lines;
	spin_lock_irq(&report.lock);
	lines = report.lines;
	report.owner = processor;
	spin_unlock_irq(&report.lock);
	return lines;
}
