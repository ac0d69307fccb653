/* The lock of one object reached by two ways: t is p->store, so t->lock protects p->store->items. */
#include <pthread.h>

struct store { pthread_mutex_t lock; int items; int reserved; };
struct shop { struct store *store; };

static struct store depot = { .lock = PTHREAD_MUTEX_INITIALIZER };
static struct shop shops[2] = { { &depot }, { &depot } };

static void *deliver(void *argument)
{
	struct shop *p = argument;
	struct store *t = p->store;
	pthread_mutex_lock(&t->lock);
	p->store->items++; /* NORACE */
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

static void *sell(void *argument)
{
	struct shop *p = argument;
	pthread_mutex_lock(&p->store->lock);
	struct store *t = p->store;
	t->items--; /* NORACE */
	t->reserved++; /* RACE@a */
	pthread_mutex_unlock(&p->store->lock);
	return NULL;
}

static void *cancel(void *argument)
{
	struct shop *p = argument;
	struct store *t = p->store;
	pthread_mutex_lock(&t->lock);
	t->items++; /* NORACE */
	pthread_mutex_unlock(&t->lock);
	p->store->reserved--; /* RACE@a */
	return NULL;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, NULL, deliver, &shops[0]);
	pthread_create(&b, NULL, sell, &shops[1]);
	pthread_create(&c, NULL, cancel, &shops[0]);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
