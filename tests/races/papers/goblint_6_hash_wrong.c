/* Goblint, example 6, wrong: the lock is that of one bucket, the nodes are those of the next. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct ln { int data; struct ln *next; };
static pthread_mutex_t mtxs[64];
static struct ln *slots[64];

static void *t(void *argument)
{
	int i = (int)(intptr_t)argument;
	struct ln *t;
	pthread_mutex_lock(&mtxs[i]);
	t = slots[i + 1]->next;
	while (t != NULL) {
		t->data++; /* TODO RACE: the index on the way is behind the first node's link */
		t = t->next;
	}
	pthread_mutex_unlock(&mtxs[i]);
	return NULL;
}

int main(void)
{
	pthread_t threads[8];
	for (intptr_t i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, t, (void *)(i / 2));
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
