#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct peer {
	struct peer *next;
	int id;
	unsigned sent;
};

struct registry {
	struct peer *list;
	pthread_mutex_t lock;
};

typedef int (*peer_cb)(struct peer *, void *);

static struct registry reg = { NULL, PTHREAD_MUTEX_INITIALIZER };

static int registry_foreach(struct registry *r, peer_cb cb, void *ctx)
{
	struct peer *p;
	int rc = 0;

	pthread_mutex_lock(&r->lock);
	for (p = r->list; p != NULL && rc == 0; p = p->next) // NORACE
		rc = cb(p, ctx);
	pthread_mutex_unlock(&r->lock);
	return rc;
}

static void registry_add(struct registry *r, int id)
{
	struct peer *p = calloc(1, sizeof *p);

	p->id = id;
	pthread_mutex_lock(&r->lock);
	p->next = r->list;
	r->list = p;
	pthread_mutex_unlock(&r->lock);
}

static int count_one(struct peer *p, void *ctx)
{
	(void)p;
	++*(int *)ctx;
	return 0;
}

static int find_id(struct peer *p, void *ctx)
{
	return p->id == *(int *)ctx;
}

static void *joiner(void *arg)
{
	int i;
	for (i = 0; i < 50; i++)
		registry_add(&reg, i);
	return arg;
}

static void *watcher(void *arg)
{
	int i, n, id;
	for (i = 0; i < 20; i++) {
		n = 0;
		id = 1000;
		registry_foreach(&reg, count_one, &n);
		if (registry_foreach(&reg, find_id, &id))
			puts("found");
	}
	return arg;
}

int main(void)
{
	pthread_t j, w;
	pthread_create(&j, NULL, joiner, NULL);
	pthread_create(&w, NULL, watcher, NULL);
	pthread_join(j, NULL);
	pthread_join(w, NULL);
	return 0;
}
