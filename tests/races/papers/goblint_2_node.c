/* Goblint, example 2: whatever node it is, its data is under its own mutex. */
#include <pthread.h>

struct node { pthread_mutex_t mtx; int data; };
extern struct node *any_node(int number);

static void *t(void *argument)
{
	struct node *p = argument;
	pthread_mutex_lock(&p->mtx);
	p->data++; /* NORACE */
	pthread_mutex_unlock(&p->mtx);
	return NULL;
}

int main(void)
{
	pthread_t threads[8];
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, t, any_node(i));
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
