/* Radar, Figure 2.8, repaired: divided before the thread is started. */
#include <pthread.h>

static int x;
extern void print(int value);

static void *bar(void *unused)
{
	x = 0; /* NORACE */
	return unused;
}

int main(void)
{
	pthread_t tid;
	x = 1;
	print(10 / x); /* NORACE */
	pthread_create(&tid, NULL, bar, 0);
	pthread_join(tid, 0);
	return 0;
}
