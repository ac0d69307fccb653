#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct future {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	enum { PENDING, DONE, FAILED } state;
	void *value;
	int error;
};

static struct future *future_new(void)
{
	struct future *f = malloc(sizeof *f);
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->cond, NULL);
	f->state = PENDING;
	f->value = NULL;
	f->error = 0;
	return f;
}

static void future_resolve(struct future *f, void *v)
{
	pthread_mutex_lock(&f->lock);
	f->value = v;
	f->state = DONE;
	pthread_cond_broadcast(&f->cond);
	pthread_mutex_unlock(&f->lock);
}

static void future_reject(struct future *f, int err)
{
	pthread_mutex_lock(&f->lock);
	f->error = err;
	f->state = FAILED;
	pthread_cond_broadcast(&f->cond);
	pthread_mutex_unlock(&f->lock);
}

static void *future_await(struct future *f, int *err)
{
	void *v;

	while (f->state == PENDING) // RACE!
		;
	pthread_mutex_lock(&f->lock);
	while (f->state == PENDING)
		pthread_cond_wait(&f->cond, &f->lock);
	v = f->state == DONE ? f->value : NULL;
	*err = f->error;
	pthread_mutex_unlock(&f->lock);
	return v;
}

struct request { struct future *f; int n; };

static void *resolver(void *arg)
{
	struct request *r = arg;
	long *res;

	if (r->n < 0) {
		future_reject(r->f, 22);
		return NULL;
	}
	res = malloc(sizeof *res);
	*res = (long)r->n * r->n;
	future_resolve(r->f, res);
	return NULL;
}

int main(int argc, char **argv)
{
	struct request req = { future_new(), argc > 1 ? atoi(argv[1]) : 12 };
	pthread_t t;
	int err;
	long *v;

	pthread_create(&t, NULL, resolver, &req);
	v = future_await(req.f, &err);
	if (v)
		printf("%ld\n", *v);
	else
		printf("error %d\n", err);
	pthread_join(t, NULL);
	return 0;
}
