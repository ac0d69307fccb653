/* The data of one account under the lock of another. */
#include <pthread.h>

struct account { pthread_mutex_t mutex; long balance; long fees; };
static struct account savings = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
static struct account checking = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };

static void deposit(struct account *p, long amount)
{
	pthread_mutex_lock(&p->mutex);
	p->balance += amount; /* NORACE */
	p->fees++; /* RACE@a */
	pthread_mutex_unlock(&p->mutex);
}

static void charge(struct account *p, struct account *q)
{
	pthread_mutex_lock(&q->mutex);
	q->balance--; /* NORACE */
	p->fees++; /* RACE@a */
	pthread_mutex_unlock(&q->mutex);
}

static void *saver(void *argument)
{
	deposit(&savings, 100);
	deposit(&checking, 50);
	return argument;
}

static void *spender(void *argument)
{
	charge(&savings, &checking);
	charge(&checking, &savings);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, saver, NULL);
	pthread_create(&b, NULL, spender, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
