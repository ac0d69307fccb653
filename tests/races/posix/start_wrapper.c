/* Threads are started by a function of the program's own, in a loop or once. */
#include <pthread.h>
#include <stdlib.h>

struct thread { pthread_t handle; void *(*entry)(void *); };
static int indexed, crawled, fetched;

static struct thread *thread_start(void *(*entry)(void *), void *data)
{
	struct thread *thread = malloc(sizeof *thread);
	if (!thread)
		abort();
	thread->entry = entry; /* NORACE */
	if (pthread_create(&thread->handle, NULL, thread->entry, data))
		abort();
	return thread;
}

static void thread_wait(struct thread *thread)
{
	pthread_join(thread->handle, NULL);
	free(thread);
}

static void *crawl(void *argument)
{
	crawled++; /* RACE */
	fetched++; /* RACE */
	return argument;
}

static void *index_pages(void *argument)
{
	indexed++; /* TODO NORACE: started through a wrapper that others use, the thread is not known to be single */
	fetched--; /* RACE */
	return argument;
}

int main(void)
{
	struct thread *crawlers[3], *indexer;
	for (int i = 0; i < 3; i++)
		crawlers[i] = thread_start(crawl, NULL);
	indexer = thread_start(index_pages, NULL);
	for (int i = 0; i < 3; i++)
		thread_wait(crawlers[i]);
	thread_wait(indexer);
	return 0;
}
