#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Alarms add to a little record; main takes it away with alarms held back. */
static struct { int alarms; int missed; } seen;

static void on_alarm(int sig)
{
	(void)sig;
	seen.alarms++; // RACE!
	if (seen.alarms > 10)
		seen.missed++; // RACE!
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
		total += seen.alarms;
		seen.alarms = 0; // RACE!
		seen.missed = 0; // RACE!
	}
	(void)old;
	printf("%d\n", total);
	return 0;
}
