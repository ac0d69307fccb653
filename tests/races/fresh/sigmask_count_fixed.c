#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Alarms add to a little record; main takes it away with alarms held back. */
static struct { int alarms; int missed; } seen;

static void on_alarm(int sig)
{
	(void)sig;
	seen.alarms++; // NORACE!
	if (seen.alarms > 10)
		seen.missed++; // NORACE!
	alarm(1);
}

int main(void)
{
	sigset_t alrm, old;
	int total = 0;

	sigemptyset(&alrm);
	sigaddset(&alrm, SIGALRM);
	signal(SIGALRM, on_alarm);
	alarm(1);
	while (total < 60) {
		pause();
		sigprocmask(SIG_BLOCK, &alrm, &old);
		total += seen.alarms;
		seen.alarms = 0; // NORACE!
		seen.missed = 0; // NORACE!
		sigprocmask(SIG_SETMASK, &old, NULL);
	}
	(void)old;
	printf("%d\n", total);
	return 0;
}
