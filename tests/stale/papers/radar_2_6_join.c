/* Radar, Figure 2.6, left: the thread that sets it has been joined. */
#include <pthread.h>
#include <stdlib.h>

static int *p = NULL;
extern void use(int value);

static void *bar(void *unused)
{
	p = malloc(sizeof(int)); /* NORACE */
	return unused;
}

int main(void)
{
	pthread_t tid;
	pthread_create(&tid, NULL, bar, NULL);
	pthread_join(tid, NULL);
	use(*p); /* NOSTALE-CHECK */
	return 0;
}
