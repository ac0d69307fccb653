/* C11: a link two records deep in a job leads back to the job; the other side has the job by its name. */
#include <stddef.h>
#include <threads.h>

struct link { struct link *next; };
struct entry { int rank; struct link link; };
struct job { mtx_t guard; struct entry entry; int runs; };
#define container_of(p, type, path) ((type *)((char *)(p) - offsetof(type, path)))

static struct job nightly;

static int runner(void *data)
{
	struct link *link = data;
	struct job *job = container_of(link, struct job, entry.link);
	mtx_lock(&job->guard);
	job->runs++; /* NORACE */
	mtx_unlock(&job->guard);
	return 0;
}

int main(void)
{
	thrd_t thread;
	mtx_init(&nightly.guard, mtx_plain);
	thrd_create(&thread, runner, &nightly.entry.link);
	mtx_lock(&nightly.guard);
	nightly.runs = 0; /* NORACE */
	mtx_unlock(&nightly.guard);
	thrd_join(thread, NULL);
	return nightly.runs; /* NORACE */
}
