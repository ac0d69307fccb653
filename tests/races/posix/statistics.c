/* Counters in a structure behind a pointer: two under the lock, the third only sometimes. */
#include <pthread.h>
#include <stdlib.h>

struct statistics { pthread_mutex_t lock; unsigned packets, bytes, drops; };
static struct statistics *statistics;

static void *forward(void *argument)
{
	struct statistics *s = statistics; /* NORACE */
	pthread_mutex_lock(&s->lock);
	s->packets++; /* NORACE */
	s->bytes += 1500; /* NORACE */
	s->drops++; /* RACE@a */
	pthread_mutex_unlock(&s->lock);
	return argument;
}

static void *police(void *argument)
{
	struct statistics *s = statistics; /* NORACE */
	s->drops++; /* RACE@a */
	pthread_mutex_lock(&s->lock);
	s->packets--; /* NORACE */
	pthread_mutex_unlock(&s->lock);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	statistics = calloc(1, sizeof *statistics); /* NORACE */
	if (!statistics)
		return 1;
	pthread_mutex_init(&statistics->lock, NULL);
	pthread_create(&a, NULL, forward, NULL);
	pthread_create(&b, NULL, police, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return statistics->drops; /* NORACE */
}
