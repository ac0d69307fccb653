/* Goblint, example 2, with the mutex of another node. */
#include <pthread.h>

struct node { pthread_mutex_t mtx; int data; struct node *next; };
extern struct node *any_node(int number);

static void *t(void *argument)
{
	struct node *p = argument, *q = p->next; /* NORACE */
	pthread_mutex_lock(&q->mtx);
	p->data++; /* RACE */
	pthread_mutex_unlock(&q->mtx);
	return NULL;
}

static void *u(void *argument)
{
	struct node *p = argument;
	pthread_mutex_lock(&p->mtx);
	p->data--; /* RACE */
	pthread_mutex_unlock(&p->mtx);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, t, any_node(0));
	pthread_create(&b, NULL, u, any_node(0));
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
