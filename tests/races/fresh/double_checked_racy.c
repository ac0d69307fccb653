#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct registry {
	int entries;
	int limit;
};

static struct registry *instance;
static pthread_mutex_t create_lock = PTHREAD_MUTEX_INITIALIZER;

struct registry *registry_instance(void)
{
	struct registry *r = instance; // RACE!

	if (r)
		return r;
	pthread_mutex_lock(&create_lock);
	r = instance;
	if (!r) {
		r = malloc(sizeof *r);
		r->entries = 0;
		r->limit = 64;
		instance = r;
	}
	pthread_mutex_unlock(&create_lock);
	return r;
}

static void *user(void *arg)
{
	long sum = 0;
	int i;
	for (i = 0; i < 50; i++)
		sum += registry_instance()->limit;
	printf("%ld\n", sum);
	return arg;
}

int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, user, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
