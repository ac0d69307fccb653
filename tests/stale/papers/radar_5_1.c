/* Radar, Figure 5.1: it was set to 1 before the loop, and is no constant there: another thread clears it. A race on a flag. */
#include <pthread.h>

static int flag;
extern void do_work(void), proceed(void);

static void *th2(void *unused)
{
	do_work();
	flag = 0; /* RACE */
	return unused;
}

int main(void)
{
	pthread_t tid;
	flag = 1;
	pthread_create(&tid, NULL, th2, 0);
	while (flag) { /* RACE */
	}
	proceed();
	return 0;
}
