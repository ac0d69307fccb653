#include <linux/preempt.h>
#include <linux/percpu.h>
#include <linux/semaphore.h>
#include <linux/sched.h>

static DEFINE_PER_CPU(unsigned long, ticks);
static DEFINE_SEMAPHORE(board_sem);
static unsigned long board_total;

static void board_add(unsigned long n)
{
	down(&board_sem);
	board_total += n;
	up(&board_sem);
}

void account_ticks(void)
{
	unsigned long n;

	preempt_disable();
	n = __this_cpu_read(ticks);
	__this_cpu_write(ticks, 0);
	preempt_enable();
	board_add(n);
}
EXPORT_SYMBOL(account_ticks);

unsigned long board_read(void)
{
	unsigned long v;

	if (down_interruptible(&board_sem))
		return 0;
	v = board_total;
	up(&board_sem);
	return v;
}
EXPORT_SYMBOL(board_read);
