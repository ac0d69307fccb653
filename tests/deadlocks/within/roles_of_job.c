/* A job names its source and its target; another job names them the other way round. */
#include <pthread.h>
#include <stdlib.h>

typedef struct disk { pthread_mutex_t busy; char blocks[64]; } disk_t;
struct copy { disk_t *source, *target; int count; };

static disk_t *new_disk(void)
{
	disk_t *disk = calloc(1, sizeof *disk);
	pthread_mutex_init(&disk->busy, NULL);
	return disk;
}

static void *run_copy(void *argument)
{
	struct copy *copy = argument;
	pthread_mutex_lock(&copy->source->busy);
	pthread_mutex_lock(&copy->target->busy); /* DEADLOCK */
	for (int i = 0; i < copy->count; i++)
		copy->target->blocks[i] = copy->source->blocks[i];
	pthread_mutex_unlock(&copy->target->busy);
	pthread_mutex_unlock(&copy->source->busy);
	return NULL;
}

int main(void)
{
	disk_t *left = new_disk(), *right = new_disk();
	struct copy there = { .source = left, .target = right, .count = 8 };
	struct copy back = { .source = right, .target = left, .count = 4 };
	pthread_t a, b;
	pthread_create(&a, NULL, run_copy, &there);
	pthread_create(&b, NULL, run_copy, &back);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
