/* masked_itself_repaired.c: the thread blocks the signal for itself, for good, as the first thing it does. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static long ticks;

static void on_tick(int number)
{
	ticks += number > 0; /* NORACE */
}

static void *work(void *unused)
{
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	for (int i = 0; i < 100; i++)
		usleep(100);
	return unused;
}

int main(void)
{
	pthread_t worker;
	sigset_t tick, before;
	signal(SIGALRM, on_tick);
	sigemptyset(&tick);
	sigaddset(&tick, SIGALRM);
	pthread_create(&worker, NULL, work, NULL);
	alarm(1);
	for (int i = 0; i < 10; i++) {
		pthread_sigmask(SIG_BLOCK, &tick, &before);
		ticks--; /* NORACE */
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	pthread_join(worker, NULL);
	return 0;
}
