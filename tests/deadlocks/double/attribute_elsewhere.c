/* What a mutex is like that is made with an attribute which a function of the program's own was asked to fill in, nobody
   knows: it may be recursive. */
#include <pthread.h>

struct latch { pthread_mutex_t mutex; int plain; };
static struct latch known, unknown;

static void attribute_set(pthread_mutexattr_t *attribute, int kind) { pthread_mutexattr_settype(attribute, kind); }

static void latch_make(struct latch *latch, int kind)
{
	pthread_mutexattr_t attribute;
	pthread_mutexattr_init(&attribute);
	attribute_set(&attribute, kind);
	pthread_mutex_init(&latch->mutex, &attribute);
}

static void inner(void)
{
	pthread_mutex_lock(&unknown.mutex); /* NODOUBLE-LOCK */
	unknown.plain++;
	pthread_mutex_unlock(&unknown.mutex);
}

static void other(void)
{
	pthread_mutex_lock(&known.mutex); /* DOUBLE-LOCK */
	known.plain++;
	pthread_mutex_unlock(&known.mutex);
}

int main(void)
{
	latch_make(&unknown, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&known.mutex, NULL);
	pthread_mutex_lock(&unknown.mutex);
	inner();
	pthread_mutex_unlock(&unknown.mutex);
	pthread_mutex_lock(&known.mutex);
	other();
	pthread_mutex_unlock(&known.mutex);
	return 0;
}
