/* Two threads get the same structure as their argument; one field of it has no lock. */
#include <pthread.h>

struct job { pthread_mutex_t lock; int done; int failed; const char *name; };

static void *run(void *argument)
{
	struct job *job = argument;
	if (job->name[0] == '!') /* NORACE */
		job->failed++; /* RACE */
	pthread_mutex_lock(&job->lock);
	job->done++; /* NORACE */
	pthread_mutex_unlock(&job->lock);
	return NULL;
}

int main(void)
{
	struct job job = { .name = "!sort", .done = 0 }; /* NORACE */
	pthread_t first, second;
	pthread_mutex_init(&job.lock, NULL);
	pthread_create(&first, NULL, run, &job);
	pthread_create(&second, NULL, run, &job);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	return job.failed + job.done; /* NORACE */
}
