#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct note {
	struct note *below;
	int pitch;
	int volume;
};

static _Atomic(struct note *) pile;

static void add_note(int pitch)
{
	struct note *n = malloc(sizeof *n);
	n->pitch = pitch; // NORACE
	n->volume = 9; // NORACE
	n->below = atomic_load(&pile); // NORACE
	while (!atomic_compare_exchange_weak(&pile, &n->below, n))
		;
}

static void *player(void *arg)
{
	for (int i = 0; i < 88; i++)
		add_note(i);
	return arg;
}

static void *listener(void *arg)
{
	long loud = 0;
	struct note *all = atomic_exchange(&pile, NULL), *n;
	while ((n = all)) {
		all = n->below;
		loud += n->pitch * n->volume;
		free(n);
	}
	printf("%ld\n", loud);
	return arg;
}

int main(void)
{
	pthread_t p, q, r;
	pthread_create(&p, NULL, player, NULL);
	pthread_create(&q, NULL, player, NULL);
	pthread_create(&r, NULL, listener, NULL);
	pthread_join(p, NULL);
	pthread_join(q, NULL);
	pthread_join(r, NULL);
	return 0;
}
