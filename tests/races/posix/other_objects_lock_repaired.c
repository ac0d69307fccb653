/* other_objects_lock.c with both locks where both accounts are touched. */
#include <pthread.h>

struct account { pthread_mutex_t mutex; long balance; long fees; };
static struct account savings = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
static struct account checking = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };

static void deposit(struct account *p, long amount)
{
	pthread_mutex_lock(&p->mutex);
	p->balance += amount; /* NORACE */
	p->fees++; /* NORACE */
	pthread_mutex_unlock(&p->mutex);
}

static void charge(struct account *p, struct account *q)
{
	pthread_mutex_lock(&q->mutex);
	q->balance--; /* NORACE */
	pthread_mutex_unlock(&q->mutex);
	pthread_mutex_lock(&p->mutex);
	p->fees++; /* NORACE */
	pthread_mutex_unlock(&p->mutex);
}

static void *clerk(void *argument)
{
	deposit(&savings, 100);
	deposit(&checking, 50);
	charge(&savings, &checking);
	charge(&checking, &savings);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, clerk, NULL);
	pthread_create(&b, NULL, clerk, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
