/* Radar, Figure 2.8: it may be zero by the time it is divided by. A race. */
#include <pthread.h>

static int x;
extern void print(int value);

static void *bar(void *unused)
{
	x = 0; /* RACE */
	return unused;
}

int main(void)
{
	pthread_t tid;
	x = 1;
	pthread_create(&tid, NULL, bar, 0);
	print(10 / x); /* RACE */
	pthread_join(tid, 0);
	return 0;
}
