// A ring of messages between processes, and the disk behind it: the locks of this kernel, right and wrong.
#include "types.h"
#include "spinlock.h"
#include "sleeplock.h"
#include "proc.h"
#include "defs.h"

struct ring {
	struct spinlock lock;
	int head, tail, lost, cleared;
	char data[64];
};
struct disk {
	struct sleeplock busy;
	struct spinlock lock;
	int requests, errors;
};
static struct ring ring;
static struct disk disk;
static struct spinlock first, second;
static int total, ticks_seen;

void
ringinit(void)
{
	initlock(&ring.lock, "ring");
	initsleeplock(&disk.busy, "disk");
	ring.head = ring.tail = 0;
}

// sleep() lets go of the lock and takes it back.
int
ringread(char *to)
{
	acquire(&ring.lock);
	while (ring.head == ring.tail) {
		if (myproc()->killed) {
			release(&ring.lock);
			return -1;
		}
		sleep(&ring.tail, &ring.lock); /* NOSLEEP */
	}
	*to = ring.data[ring.head++ % sizeof ring.data]; /* NORACE */
	wakeup(&ring.head);
	release(&ring.lock);
	return 0;
}

int
ringwrite(char from)
{
	acquire(&ring.lock);
	while (ring.tail == ring.head + (int)sizeof ring.data)
		sleep(&ring.head, &ring.lock);
	ring.data[ring.tail++ % sizeof ring.data] = from; /* NORACE */
	ring.cleared = 0; /* RACE@cleared */
	wakeup(&ring.tail);
	release(&ring.lock);
	return 0;
}

int
ringclear(void)
{
	ring.cleared++; /* RACE@cleared */
	return 0;
}

// Two orders, and the same with the order kept.
int
sys_forward(void)
{
	acquire(&first);
	acquire(&second); /* DEADLOCK@orders */
	total++;
	release(&second);
	release(&first);
	return 0;
}

int
sys_backward(void)
{
	acquire(&second);
	acquire(&first); /* DEADLOCK@orders */
	total--;
	release(&first);
	release(&second);
	return 0;
}

// A sleep lock under a spin lock; the other way round is fine.
int
sys_flush(void)
{
	acquire(&disk.lock);
	acquiresleep(&disk.busy); /* SLEEP */
	disk.requests++;
	releasesleep(&disk.busy);
	release(&disk.lock);
	return 0;
}

int
sys_sync(void)
{
	begin_op();
	acquiresleep(&disk.busy); /* NOSLEEP */
	disk.requests++; /* NORACE */
	releasesleep(&disk.busy);
	end_op();
	return 0;
}

int
sys_errors(void)
{
	acquiresleep(&disk.busy);
	if (disk.requests > 9) {
		return -1; /* LEAK */
	}
	disk.requests = 0;
	releasesleep(&disk.busy);
	return 0;
}

// acquire() keeps interrupts off; push_off() does so on this CPU only, and a handler may run on another one.
void
devintr(void)
{
	acquire(&ring.lock); /* NOIRQ-DEADLOCK */
	ring.lost++; /* NORACE */
	release(&ring.lock);
	ticks_seen++; /* RACE@ticks */
}

int
sys_lost(void)
{
	int n;
	acquire(&ring.lock); /* NOIRQ-DEADLOCK */
	n = ring.lost;
	ring.lost = 0; /* NORACE */
	release(&ring.lock);
	return n;
}

int
sys_ticks(void)
{
	push_off();
	ticks_seen = 0; /* RACE@ticks */
	pop_off();
	return 0;
}

static int sys_read(void) { char c; return argint(0, &total) < 0 ? -1 : ringread(&c); }
static int sys_write(void) { return ringwrite('x'); }
static int (*syscalls[])(void) = { sys_read, sys_write, sys_forward, sys_backward, sys_flush, sys_sync, sys_errors, sys_lost, sys_ticks };

int
main(void)
{
	ringinit();
	scheduler();
}

void
usertrap(void)
{
	if (syscalls[myproc()->trapframe->a7]() < 0)
		iunlockput(0);
	usertrapret();
}
