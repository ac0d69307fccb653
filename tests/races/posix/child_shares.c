/* child_shares.c: a child and the parent's thread count in memory that both have. */
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static long *hits;

static void *work(void *arg)
{
	for (int i = 0; i < 10; i++)
		*hits += 1; /* RACE */
	return arg;
}

int main(void)
{
	pthread_t thread;
	hits = mmap(NULL, sizeof *hits, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_create(&thread, NULL, work, NULL);
	if (fork() == 0) {
		*hits += 1; /* RACE */
		_exit(0);
	}
	pthread_join(thread, NULL);
	return 0;
}
