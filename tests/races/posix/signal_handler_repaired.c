/* signal_handler.c: the handler leaves a note, and the program keeps signals out while it reads. */
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t pending;
static long alarms, missed;

static void on_alarm(int number)
{
	pending = number; /* NORACE */
	missed++; /* NORACE */
}

int main(void)
{
	sigset_t blocked, before;
	struct sigaction action = { .sa_handler = on_alarm };
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGALRM);
	sigaction(SIGALRM, &action, NULL);
	alarm(1);
	for (int i = 0; i < 10; i++) {
		if (pending) { /* NORACE */
			pending = 0; /* NORACE */
			alarms++; /* NORACE */
		}
		sigprocmask(SIG_BLOCK, &blocked, &before);
		missed--; /* NORACE */
		sigprocmask(SIG_SETMASK, &before, NULL);
	}
	return alarms; /* NORACE */
}
