/* The terminal is there, the lock is dropped for a call, and the terminal is used. */
#include <linux/spinlock.h>
#include <linux/tty.h>
#include <linux/interrupt.h>

struct line { spinlock_t lock; struct tty_struct *tty; int sent; };
static struct line line;
extern void line_push(int byte);

static irqreturn_t line_interrupt(int irq, void *unused)
{
	unsigned long flags;

	spin_lock_irqsave(&line.lock, flags);
	if (line.tty) {
		spin_unlock_irqrestore(&line.lock, flags);
		line_push(7);
		spin_lock_irqsave(&line.lock, flags);
		line.sent += line.tty->index; /* STALE-CHECK */
	}
	spin_unlock_irqrestore(&line.lock, flags);
	return IRQ_HANDLED;
}

static void line_close(struct tty_struct *tty, struct file *file)
{
	unsigned long flags;

	spin_lock_irqsave(&line.lock, flags);
	line.tty = NULL;
	spin_unlock_irqrestore(&line.lock, flags);
}

static const struct tty_operations line_operations = { .close = line_close };

int line_init(struct tty_driver *driver)
{
	spin_lock_init(&line.lock);
	tty_set_operations(driver, &line_operations);
	return request_irq(4, line_interrupt, 0, "line", &line);
}
