#include <pthread.h>
#include <stdio.h>

struct gate {
	pthread_mutex_t m;
	pthread_cond_t c;
	unsigned open : 1;
	unsigned waiters;
};

static struct gate g = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 };

static void gate_pass(struct gate *x)
{
	pthread_mutex_lock(&x->m);
	x->waiters++;
	while (!x->open)
		pthread_cond_wait(&x->c, &x->m);
	x->waiters--;
	pthread_mutex_unlock(&x->m);
}

static void gate_open(struct gate *x)
{
	pthread_mutex_lock(&x->m);
	x->open = 1; // NORACE
	pthread_cond_broadcast(&x->c);
	pthread_mutex_unlock(&x->m);
}

static void *visitor(void *arg)
{
	gate_pass(&g);
	return arg;
}

int main(void)
{
	pthread_t v[3];
	int i;

	for (i = 0; i < 3; i++)
		pthread_create(&v[i], NULL, visitor, NULL);
	gate_open(&g);
	for (i = 0; i < 3; i++)
		pthread_join(v[i], NULL);
	puts("all through");
	return 0;
}
