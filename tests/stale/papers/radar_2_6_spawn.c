/* Radar, Figure 2.6, right: set before the thread is started. */
#include <pthread.h>
#include <stdlib.h>

static int *p = NULL;
extern void use(int value);

static void *bar(void *unused)
{
	use(*p); /* NOSTALE-CHECK */
	return unused;
}

int main(void)
{
	pthread_t tid;
	p = malloc(sizeof(int)); /* NORACE */
	pthread_create(&tid, NULL, bar, NULL);
	pthread_join(tid, NULL);
	return 0;
}
