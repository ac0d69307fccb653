/*
 * Only `stop` is called with the line's lock held, and no `stop` takes the clock's; another table's
 * `stop` does, and is another member. Field-sensitive: no cycle.
 */
#include <linux/spinlock.h>

struct line;
struct line_operations { int (*start)(struct line *line); void (*stop)(struct line *line); };
struct clock_operations { void (*stop)(struct line *line); };
struct line { spinlock_t lock; const struct line_operations *operations; int speed; };
static DEFINE_SPINLOCK(clock_lock);
static int clocks;

static int slow_start(struct line *line)
{
	spin_lock(&clock_lock); /* NODEADLOCK */
	clocks++;
	spin_unlock(&clock_lock);
	return 0;
}
static void slow_stop(struct line *line) { line->speed = 0; }
static void clock_stop(struct line *line)
{
	spin_lock(&clock_lock); /* NODEADLOCK */
	clocks--;
	spin_unlock(&clock_lock);
}
static const struct line_operations slow_operations = { .start = slow_start, .stop = slow_stop };
static const struct clock_operations clock_operations = { .stop = clock_stop };

int line_close(struct line *line)
{
	line->operations = &slow_operations;
	spin_lock(&line->lock);
	line->operations->stop(line);
	spin_unlock(&line->lock);
	clock_operations.stop(line);
	return line->operations->start(line);
}

void clock_change(struct line *line, int speed)
{
	spin_lock(&clock_lock);
	spin_lock(&line->lock); /* NODEADLOCK */
	line->speed = speed;
	spin_unlock(&line->lock);
	spin_unlock(&clock_lock);
}
