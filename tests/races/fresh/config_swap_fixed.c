#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct settings {
	int refs;
	int port;
	int workers;
};

static struct settings *current;
static pthread_mutex_t cur_lock = PTHREAD_MUTEX_INITIALIZER;

static struct settings *settings_get(void)
{
	struct settings *s;

	pthread_mutex_lock(&cur_lock);
	s = current;
	s->refs++;
	pthread_mutex_unlock(&cur_lock);
	return s;
}

static void settings_put(struct settings *s)
{
	int last;

	pthread_mutex_lock(&cur_lock);
	last = --s->refs == 0;
	pthread_mutex_unlock(&cur_lock);
	if (last)
		free(s); // TODO NORACE: users that are counted through a pointer that is replaced
}

static void settings_reload(int port)
{
	struct settings *fresh = malloc(sizeof *fresh), *old;

	fresh->refs = 1;
	fresh->port = port;
	fresh->workers = port % 8;
	pthread_mutex_lock(&cur_lock);
	old = current;
	current = fresh;
	pthread_mutex_unlock(&cur_lock);
	settings_put(old);
}

static void settings_set_port(int port)
{
	settings_reload(port); // NORACE
}

static void *listener(void *arg)
{
	long sum = 0;
	int i;
	for (i = 0; i < 100; i++) {
		struct settings *s = settings_get();
		sum += s->port + s->workers;
		settings_put(s);
	}
	printf("%ld\n", sum);
	return arg;
}

static void *admin(void *arg)
{
	int i;
	for (i = 0; i < 50; i++) {
		settings_reload(8000 + i);
		settings_set_port(9000 + i);
	}
	return arg;
}

int main(void)
{
	pthread_t l1, l2, a;

	current = calloc(1, sizeof *current);
	current->refs = 1;
	pthread_create(&l1, NULL, listener, NULL);
	pthread_create(&l2, NULL, listener, NULL);
	pthread_create(&a, NULL, admin, NULL);
	pthread_join(l1, NULL);
	pthread_join(l2, NULL);
	pthread_join(a, NULL);
	return 0;
}
