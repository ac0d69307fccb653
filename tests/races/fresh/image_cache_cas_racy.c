#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Lock-free stack of buffers by compare-and-swap; racy: a plain pop. */
struct node { struct node *next; long value; };

static struct node *top;

static void push(struct node *n)
{
	struct node *old = __atomic_load_n(&top, __ATOMIC_RELAXED);
	do {
		n->next = old; // NORACE
	} while (!__atomic_compare_exchange_n(&top, &old, n, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

static struct node *take_all(void)
{
	struct node *all = top; // RACE!
	top = NULL; // RACE!
	return all;
}

static void *producer(void *arg)
{
	long i, id = (long)arg;
	for (i = 0; i < 200; i++) {
		struct node *n = malloc(sizeof *n);
		n->value = id * 1000 + i;
		push(n);
	}
	return NULL;
}

static void *consumer(void *arg)
{
	long sum = 0, rounds = 0;
	(void)arg;
	while (rounds++ < 1000) {
		struct node *n = take_all(), *next;
		for (; n; n = next) {
			next = n->next;
			sum += n->value;
			free(n);
		}
	}
	printf("%ld\n", sum);
	return NULL;
}

int main(void)
{
	pthread_t p1, p2, c;
	pthread_create(&p1, NULL, producer, (void *)1L);
	pthread_create(&p2, NULL, producer, (void *)2L);
	pthread_create(&c, NULL, consumer, NULL);
	pthread_join(p1, NULL);
	pthread_join(p2, NULL);
	pthread_join(c, NULL);
	return 0;
}
