// racerx-verdict: shown
/* The old big lock is one lock for all; it is let go while its holder sleeps, but taken back before it goes on. */
#include <linux/slab.h>
#include <linux/smp_lock.h>
#include <linux/spinlock.h>

struct console { int cursor; int blanked; };

void console_write(struct console *c) { lock_kernel(); c->cursor++; /* NORACE */ schedule(); c->cursor++; /* NORACE */ unlock_kernel(); }
void console_clear(struct console *c) { lock_kernel(); c->cursor = 0; /* NORACE */ unlock_kernel(); }
void console_blank(struct console *c) { lock_kernel(); c->blanked = 1; unlock_kernel(); }
void console_show(struct console *c) { lock_kernel(); c->blanked = 0; unlock_kernel(); }
int console_dark(struct console *c) { int is; lock_kernel(); is = c->blanked; unlock_kernel(); return is; }
void console_flip(struct console *c) { lock_kernel(); c->blanked ^= 1; unlock_kernel(); }
void console_wake(struct console *c) { lock_kernel(); c->blanked = 0; unlock_kernel(); }
int console_lit(struct console *c) { int is; lock_kernel(); is = !c->blanked; unlock_kernel(); return is; }
void console_fade(struct console *c) { lock_kernel(); c->blanked++; unlock_kernel(); }
void console_set(struct console *c, int b) { lock_kernel(); c->blanked = b; unlock_kernel(); }

void console_sleep(struct console *c)
{
	lock_kernel();
	c->cursor = -1; /* NORACE */
	unlock_kernel();
	c->blanked = 1; /* RACE */
}
