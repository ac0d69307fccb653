/* The second lock is taken by a function that is only called through a table of operations. */
#include <linux/spinlock.h>

struct line;
struct line_operations { int (*start)(struct line *line); void (*stop)(struct line *line); };
struct line { spinlock_t lock; const struct line_operations *operations; int speed; };
static DEFINE_SPINLOCK(clock_lock);
static int clocks;

static int slow_start(struct line *line)
{
	spin_lock(&clock_lock); /* DEADLOCK@a */
	clocks++;
	spin_unlock(&clock_lock);
	return 0;
}
static void slow_stop(struct line *line) { line->speed = 0; }
static const struct line_operations slow_operations = { .start = slow_start, .stop = slow_stop };

int line_open(struct line *line)
{
	int error;
	spin_lock(&line->lock);
	error = line->operations->start(line);
	spin_unlock(&line->lock);
	return error;
}

void line_attach(struct line *line) { line->operations = &slow_operations; }

void clock_change(struct line *line, int speed)
{
	spin_lock(&clock_lock);
	clocks = speed;
	spin_lock(&line->lock); /* DEADLOCK@a */
	line->speed = speed;
	spin_unlock(&line->lock);
	spin_unlock(&clock_lock);
}
