/* Radar, Figure 2.4, left, without the second look under the lock. */
#include <pthread.h>
#include <stdlib.h>

static int *p;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
extern void use(int value);
extern void foo_1(int *t), foo_2(int *t);

static void *look(void *unused)
{
	if (p != NULL) { /* CHECK-THEN-ACT */
		pthread_mutex_lock(&l);
		use(*p);
		pthread_mutex_unlock(&l);
	}
	return unused;
}

static void *clear(void *unused)
{
	pthread_mutex_lock(&l);
	p = NULL;
	pthread_mutex_unlock(&l);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, look, NULL);
	pthread_create(&threads[1], NULL, clear, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
