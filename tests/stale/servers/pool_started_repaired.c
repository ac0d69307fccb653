/* Checked, locked, checked again. */
#include <pthread.h>
#include <stdlib.h>

struct pool { pthread_mutex_t lock; int *table; int size; };
static struct pool pool = { PTHREAD_MUTEX_INITIALIZER, NULL, 0 };

static int *pool_table(struct pool *p)
{
	if (p->table == NULL) {
		pthread_mutex_lock(&p->lock);
		if (p->table == NULL)
			p->table = calloc(100, sizeof(int)); /* NOCHECK-THEN-ACT */
		pthread_mutex_unlock(&p->lock);
	}
	return p->table;
}

static void *run(void *unused)
{
	(void)unused;
	pool_table(&pool)[3] = 1;
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, run, NULL);
	pthread_create(&b, NULL, run, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
