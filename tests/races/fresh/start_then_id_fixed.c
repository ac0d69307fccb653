#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct worker {
	pthread_t tid;
	int id;
	unsigned prio;
	unsigned long done;
};

struct crew {
	int n;
	struct worker *w;
	pthread_mutex_t tally_lock;
	unsigned long tally;
};

static struct crew crew = { .tally_lock = PTHREAD_MUTEX_INITIALIZER };

static void *worker_run(void *arg)
{
	struct worker *self = arg;

	for (unsigned i = 0; i < 1000 + 100 * self->prio; i++)
		self->done += i & 1; // TODO NORACE: the element that a helper starts a thread for is not known to be its thread's
	pthread_mutex_lock(&crew.tally_lock);
	crew.tally += self->done;
	pthread_mutex_unlock(&crew.tally_lock);
	return NULL;
}

static int worker_spawn(struct worker *w, int id)
{
	int rc;

	w->id = id;
	w->done = 0;
	w->prio = id % 2 ? 5 : 1; // TODO NORACE: the element that a helper starts a thread for is not known to be its thread's
	rc = pthread_create(&w->tid, NULL, worker_run, w);
	if (rc)
		return -rc;
	return 0;
}

int main(void)
{
	crew.n = 4;
	crew.w = calloc((size_t)crew.n, sizeof *crew.w);
	for (int i = 0; i < crew.n; i++)
		if (worker_spawn(&crew.w[i], i) < 0)
			return 1;
	for (int i = 0; i < crew.n; i++)
		pthread_join(crew.w[i].tid, NULL);
	printf("tally %lu\n", crew.tally);
	free(crew.w);
	return 0;
}
