/* Radar, Figure 2.7: the other thread sets it only where it is null, which it never is. A race for whoever does not know that. */
#include <pthread.h>
#include <stdlib.h>

static int *p;
extern void use(int value);

static void *bar(void *unused)
{
	if (p == NULL) { /* NOCHECK-THEN-ACT */
		p = malloc(sizeof(int));
	}
	return unused;
}

int main(void)
{
	pthread_t tid;
	p = malloc(sizeof(int));
	pthread_create(&tid, NULL, bar, NULL);
	use(*p); /* NOSTALE-CHECK */
	pthread_join(tid, NULL);
	return 0;
}
