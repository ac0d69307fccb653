/* Every worker has a buffer of its own, made by one call and kept in its record: none of them is anybody else's. */
#include <pthread.h>
#include <stdlib.h>

struct worker {
	pthread_t thread;
	char *buffer;
};
static struct worker workers[4];
static struct worker *list;

static void *work(void *argument)
{
	struct worker *worker = argument;
	for (int i = 0; i < 64; i++)
		worker->buffer[i] = (char)i; /* NORACE */
	return NULL;
}

static struct worker *worker_new(void)
{
	struct worker *worker = malloc(sizeof *worker);
	worker->buffer = malloc(64);
	return worker;
}

int main(void)
{
	list = worker_new();
	for (int i = 0; i < 4; i++)
		workers[i].buffer = malloc(64);
	for (int i = 0; i < 4; i++)
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	pthread_create(&list->thread, NULL, work, list);
	for (int i = 0; i < 4; i++)
		pthread_join(workers[i].thread, NULL);
	return 0;
}
