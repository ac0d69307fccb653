#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct crew { atomic_int still; double area[6]; double sum; };

static void add_up(struct crew *c)
{
	for (int i = 0; i < 6; i++)
		c->sum += c->area[i]; // NORACE
}

struct job { struct crew *crew; int n; };

static void *measure(void *arg)
{
	struct job *job = arg;
	struct crew *crew = job->crew;

	crew->area[job->n] = job->n * 1.5; // NORACE
	if (atomic_fetch_sub_explicit(&crew->still, 1, memory_order_acq_rel) == 1)
		add_up(crew);
	free(job);
	return NULL;
}

static struct crew crew;

int main(void)
{
	pthread_t t[6];
	atomic_store(&crew.still, 6);
	for (int i = 0; i < 6; i++) {
		struct job *job = malloc(sizeof *job);
		job->crew = &crew;
		job->n = i;
		pthread_create(&t[i], NULL, measure, job);
	}
	for (int i = 0; i < 6; i++)
		pthread_join(t[i], NULL);
	return crew.sum > 20;
}
