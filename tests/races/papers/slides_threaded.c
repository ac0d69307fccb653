// racerx: --preset linux
/*
 * The slides' multithreaded inference: an atomic operation is a concurrency operation, so threaded() and what it
 * calls are multithreaded. That a callee is says nothing of its caller: non_threaded() is not.
 */
#include <linux/atomic.h>

int x;

static void bar(void)
{
	x++; /* RACE */
}

void threaded(void)
{
	bar();
	atomic_inc(&x);
}

void non_threaded(void)
{
	x++; /* NORACE */
	threaded();
}
