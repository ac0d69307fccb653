/* Radar, Figure 5.1, repaired: the flag is under a lock, and looked at anew each time. */
#include <pthread.h>

static int flag;
static pthread_mutex_t flag_lock = PTHREAD_MUTEX_INITIALIZER;
extern void do_work(void), proceed(void);

static void *th2(void *unused)
{
	do_work();
	pthread_mutex_lock(&flag_lock);
	flag = 0; /* NORACE */
	pthread_mutex_unlock(&flag_lock);
	return unused;
}

int main(void)
{
	pthread_t tid;
	int waits = 1;
	flag = 1;
	pthread_create(&tid, NULL, th2, 0);
	while (waits) {
		pthread_mutex_lock(&flag_lock);
		waits = flag; /* NOSTALE-COPY */
		pthread_mutex_unlock(&flag_lock);
	}
	proceed();
	return 0;
}
