#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
	struct node *kid[2];
	int key;
	int count;
};

struct tree {
	struct node *root;
	int size;
	pthread_mutex_t rlock;          /* recursive */
};

static struct tree words;

static void tree_setup(struct tree *t)
{
	pthread_mutexattr_t at;

	pthread_mutexattr_init(&at);
	pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&t->rlock, &at);
	t->root = NULL;
	t->size = 0;
}

static int tree_size(struct tree *t)
{
	int n;
	pthread_mutex_lock(&t->rlock);
	n = t->size;
	pthread_mutex_unlock(&t->rlock);
	return n;
}

static struct node **tree_slot(struct tree *t, int key)
{
	struct node **at = &t->root;
	while (*at && (*at)->key != key) // RACE!
		at = &(*at)->kid[key > (*at)->key];
	return at;
}

static void tree_add(struct tree *t, int key)
{
	struct node **at;

	at = tree_slot(t, key);
	if (*at == NULL) {
		pthread_mutex_lock(&t->rlock);
		if (tree_size(t) < 1000) {
			*at = calloc(1, sizeof(struct node));
			(*at)->key = key;
			t->size++;
		}
		pthread_mutex_unlock(&t->rlock);
	}
	if (*at)
		(*at)->count++; // RACE!
}

static void *feeder(void *seedp)
{
	unsigned seed = (unsigned)(size_t)seedp;
	int i;
	for (i = 0; i < 200; i++)
		tree_add(&words, rand_r(&seed) % 50);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	tree_setup(&words);
	pthread_create(&a, NULL, feeder, (void *)1);
	pthread_create(&b, NULL, feeder, (void *)2);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d\n", tree_size(&words));
	return 0;
}
