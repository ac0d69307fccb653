/* Looked at under the lock. */
#include <pthread.h>

struct budget { pthread_mutex_t lock; long left; };
static struct budget budget = { PTHREAD_MUTEX_INITIALIZER, 1000 };

static long budget_left(struct budget *b)
{
	long left;

	pthread_mutex_lock(&b->lock);
	left = b->left;
	pthread_mutex_unlock(&b->lock);
	return left;
}

static int spend(struct budget *b, long amount)
{
	if (budget_left(b) < amount)
		return -1;
	pthread_mutex_lock(&b->lock);
	if (b->left < amount) {
		pthread_mutex_unlock(&b->lock);
		return -1;
	}
	b->left -= amount; /* NOSTALE-CHECK */
	pthread_mutex_unlock(&b->lock);
	return 0;
}

static void *buyer(void *unused)
{
	(void)unused;
	while (spend(&budget, 7) == 0)
		continue;
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, buyer, NULL);
	pthread_create(&b, NULL, buyer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
