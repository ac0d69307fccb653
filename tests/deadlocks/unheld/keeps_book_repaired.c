// racerx-verdict: shown
/* A report may be made while one is being made, by the same processor: who makes the first takes the lock, and who it is
   stands beside it. Another function remembers in a flag whether it has the lock. */
#include <linux/spinlock.h>

struct report {
	spinlock_t lock;
	int owner;
	int depth;
	int lines;
};
static struct report report;
static struct report other;

void report_line(int processor)
{
	if (report.owner != processor) {
		spin_lock_irq(&report.lock);
		report.owner = processor;
		report.depth = 0;
	}
	report.depth++;
	report.lines++;
	report.owner = -1;
	spin_unlock_irq(&report.lock); /* NOUNHELD */
}

int report_all(const int *kinds, int count)
{
	bool locked = false;
	int i, lines = 0;
	for (i = 0; i < count; i++) {
		if (!locked) {
			spin_lock(&other.lock);
			locked = true;
		}
		lines += other.lines;
		if (kinds[i])
			continue;
		spin_unlock(&other.lock); /* NOUNHELD */
		locked = false;
	}
	if (locked)
		spin_unlock(&other.lock); /* NOUNHELD */
	return lines;
}
