#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct bst {
	int key, hits;
	struct bst *l, *r;
	pthread_mutex_t lk;
};

static struct bst *root;

static struct bst *mk(int key)
{
	struct bst *n = calloc(1, sizeof *n);
	n->key = key;
	pthread_mutex_init(&n->lk, NULL);
	return n;
}

static void visit(int key)
{
	struct bst *n = root, *c;

	pthread_mutex_lock(&n->lk);
	while (n->key != key) {
		struct bst **side = key < n->key ? &n->l : &n->r;
		if (!*side)
			*side = mk(key);
		c = *side;
		pthread_mutex_lock(&c->lk);
		pthread_mutex_unlock(&n->lk);
		n = c;
	}
	n->hits++; // NORACE
	pthread_mutex_unlock(&n->lk);
}

static void age(struct bst *n)
{
	if (!n)
		return;
	pthread_mutex_lock(&n->lk);
	n->hits /= 2; // NORACE
	pthread_mutex_unlock(&n->lk);
}

static void *visitor(void *arg)
{
	unsigned s = (unsigned)(long)arg;
	int i;
	for (i = 0; i < 200; i++)
		visit(32 + (rand_r(&s) % 3 - 1) * 5);
	return NULL;
}

static void *ager(void *arg)
{
	int i;
	for (i = 0; i < 30; i++)
		age(root);
	return arg;
}

int main(void)
{
	pthread_t v[2], a;
	root = mk(32);
	pthread_create(&v[0], NULL, visitor, (void *)1L);
	pthread_create(&v[1], NULL, visitor, (void *)2L);
	pthread_create(&a, NULL, ager, NULL);
	pthread_join(v[0], NULL);
	pthread_join(v[1], NULL);
	pthread_join(a, NULL);
	printf("%d\n", root->hits);
	return 0;
}
