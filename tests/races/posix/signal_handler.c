/* A handler may come between any two instructions of the program. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

struct window { int rows, columns; };
static struct window window = { 24, 80 };
static volatile sig_atomic_t stop;
static long alarms;
static int loops;

static void on_alarm(int number)
{
	alarms += number; /* RACE@a */
	stop = 1; /* NORACE */
}

static void on_resize(int number)
{
	window.rows = number; /* RACE@b */
}

int main(void)
{
	signal(SIGALRM, on_alarm);
	signal(SIGWINCH, on_resize);
	alarm(1);
	while (!stop) { /* NORACE */
		loops++; /* NORACE */
		pause();
	}
	alarms--; /* RACE@a */
	printf("%d rows\n", window.rows); /* RACE@b */
	return loops; /* NORACE */
}
