// As node_lock_coupling_fixed.c, but a lock stays behind when the walk goes on.
#include <pthread.h>
#include <stdlib.h>

struct stop {
	int fare, visits;
	struct stop *next;
	pthread_mutex_t mu;
};

struct leaf {
	int key, weight;
	struct leaf *small, *large;
	pthread_mutex_t mu;
};

static struct stop *line;
static struct leaf *tree;

static struct stop *stop_make(int fare)
{
	struct stop *s = calloc(1, sizeof *s);
	s->fare = fare;
	pthread_mutex_init(&s->mu, NULL);
	return s;
}

static void stop_count(struct stop *s) { s->visits++; /* NORACE */ }

static void ride(int fare)
{
	struct stop *here = line, *there;
	pthread_mutex_lock(&here->mu);
	for (;;) {
		there = here->next; /* NORACE */
		if (!there)
			break;
		pthread_mutex_lock(&there->mu);
		pthread_mutex_unlock(&here->mu);
		here = there;
		stop_count(here);
		if (there->fare > fare)
			there->fare--;
	}
	here->next = stop_make(fare);
	pthread_mutex_unlock(&here->mu);
}

static void close_stop(int fare)
{
	struct stop *before, *at;
	pthread_mutex_lock(&line->mu);
	before = line;
	at = before->next; /* NORACE */
	if (at)
		pthread_mutex_lock(&at->mu);
	while (at && at->fare != fare) {
		pthread_mutex_unlock(&before->mu);
		pthread_mutex_unlock(&at->mu);
		before = at;
		at->fare = 0; /* RACE */
		at = at->next; /* RACE */
		pthread_mutex_lock(&before->mu);
		if (at)
			pthread_mutex_lock(&at->mu);
	}
	if (at) {
		before->next = at->next;
		pthread_mutex_unlock(&at->mu);
	}
	pthread_mutex_unlock(&before->mu);
}

static void weigh(int key)
{
	struct leaf *node = tree;
	pthread_mutex_lock(&node->mu);
	while (node->key != key) {
		struct leaf *child;
		if (key < node->key)
			child = node->small; /* NORACE */
		else
			child = node->large; /* NORACE */
		if (!child)
			break;
		pthread_mutex_lock(&child->mu);
		struct leaf *done = node;
		node = child;
		pthread_mutex_unlock(&done->mu);
	}
	pthread_mutex_unlock(&node->mu);
	node->weight++; /* RACE */
	if (key == 7) {
		struct leaf *fresh = calloc(1, sizeof *fresh);
		fresh->key = key;
		pthread_mutex_init(&fresh->mu, NULL);
		pthread_mutex_lock(&node->mu);
		node->small = fresh; /* NORACE */
		pthread_mutex_unlock(&node->mu);
	}
}

static void *passenger(void *arg)
{
	for (int i = 0; i < 9; i++) {
		ride(i);
		close_stop(i / 2);
		weigh(i);
	}
	return arg;
}

int main(void)
{
	pthread_t one, two;
	line = stop_make(0);
	tree = calloc(1, sizeof *tree);
	pthread_mutex_init(&tree->mu, NULL);
	pthread_create(&one, NULL, passenger, NULL);
	pthread_create(&two, NULL, passenger, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
