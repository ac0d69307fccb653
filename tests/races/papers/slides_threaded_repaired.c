// racerx: --preset linux
/* slides_threaded.c with atomics throughout. */
#include <linux/atomic.h>

static atomic_t x;

static void bar(void)
{
	atomic_inc(&x); /* NORACE */
}

void threaded(void)
{
	bar();
	atomic_inc(&x); /* NORACE */
}

void non_threaded(void)
{
	atomic_inc(&x); /* NORACE */
	threaded();
}
