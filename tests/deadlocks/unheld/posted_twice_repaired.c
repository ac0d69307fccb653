/* A heap's semaphore is let go for a slow call, and only taken again when that came back with something. Who posts
   what another waits for may do so twice. */
#include <semaphore.h>
#include <stdlib.h>

static sem_t heap, ticks;
static int used, zones;
void *page_get(int size);

void heap_start(void)
{
	sem_init(&heap, 0, 1);
	sem_init(&ticks, 0, 0);
}
void heap_put(int size)
{
	sem_wait(&heap);
	used -= size;
	sem_post(&heap);
}
int heap_used(void)
{
	sem_wait(&heap);
	int now = used;
	sem_post(&heap);
	return now;
}
void *heap_get(int size)
{
	void *zone;
	sem_wait(&heap);
	if (!zones) {
		sem_post(&heap);
		zone = page_get(size);
		if (!zone)
			goto out;
		sem_wait(&heap);
		zones++;
	}
	used += size;
	zone = &zones;
	sem_post(&heap);
	return zone;
out:
	return NULL;
}
void tick(void)
{
	sem_post(&ticks);
	sem_post(&ticks); /* NOUNHELD */
}
void tick_wait(void) { sem_wait(&ticks); }
