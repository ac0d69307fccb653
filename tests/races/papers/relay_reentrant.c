/* RELAY's fourth reason: the big kernel lock nests, and the inner unlock does not let it go. */
#include <linux/smp_lock.h>

struct tty { int count; int flags; };

static void tty_flush(struct tty *tty)
{
	lock_kernel();
	tty->flags = 0; /* NORACE */
	unlock_kernel();
}

void tty_open(struct tty *tty)
{
	lock_kernel();
	tty_flush(tty);
	tty->count++; /* NORACE */
	unlock_kernel();
}

void tty_release(struct tty *tty)
{
	lock_kernel();
	tty->count--; /* NORACE */
	tty_flush(tty);
	unlock_kernel();
}
