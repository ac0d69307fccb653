/* masked_children_repaired.c: a table of children that a handler marks as gone. Signals are held back around every
 * look at it. */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static struct { int pid, gone; } child;
static int reaped;

static sigset_t kept;

static void hold(void)
{
	sigset_t all;
	sigfillset(&all);
	if (sigprocmask(SIG_SETMASK, &all, &kept) < 0)
		perror("sigprocmask");
}

static void let_in(void)
{
	sigprocmask(SIG_SETMASK, &kept, NULL);
}

static void on_child(int number)
{
	(void)number;
	child.gone = 1; /* NORACE */
	reaped++; /* NORACE */
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_child };
	sigaction(SIGCHLD, &action, NULL);
	for (;;) {
		hold();
		if (child.gone) { /* NORACE */
			child.gone = 0; /* NORACE */
			child.pid = fork();
		}
		if (reaped > 10) /* NORACE */
			reaped = 0; /* NORACE */
		let_in();
		pause();
	}
}
