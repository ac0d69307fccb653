/* masked_thread.c: main blocks the signal while it counts, but the thread that it has started does not: the handler runs
 * there meanwhile. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static long ticks;

static void on_tick(int number)
{
	ticks += number > 0; /* RACE */
}

static void *work(void *unused)
{
	for (int i = 0; i < 100; i++)
		usleep(100);
	return unused;
}

int main(void)
{
	pthread_t worker;
	sigset_t tick;
	signal(SIGALRM, on_tick);
	sigemptyset(&tick);
	sigaddset(&tick, SIGALRM);
	pthread_create(&worker, NULL, work, NULL);
	alarm(1);
	for (int i = 0; i < 10; i++) {
		pthread_sigmask(SIG_BLOCK, &tick, NULL);
		ticks--; /* RACE */
		pthread_sigmask(SIG_UNBLOCK, &tick, NULL);
	}
	pthread_join(worker, NULL);
	return 0;
}
