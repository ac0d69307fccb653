/* masked_thread_repaired.c: main blocks the signal while it counts, and the thread that it has started always: the handler
 * runs in main only, when it may. */
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
	pthread_sigmask(SIG_BLOCK, &tick, NULL);
	pthread_create(&worker, NULL, work, NULL);
	pthread_sigmask(SIG_UNBLOCK, &tick, NULL);
	alarm(1);
	for (int i = 0; i < 10; i++) {
		pthread_sigmask(SIG_BLOCK, &tick, NULL);
		ticks--; /* NORACE */
		pthread_sigmask(SIG_UNBLOCK, &tick, NULL);
	}
	pthread_join(worker, NULL);
	return 0;
}
