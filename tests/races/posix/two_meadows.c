/* Two meadows with a fence each; sheep are put in front. One sheep was put on the second meadow while it was still on the
   first. */
#include <pthread.h>
#include <stdlib.h>

struct sheep { struct sheep *next; int wool; };
struct meadow { struct sheep *first; pthread_mutex_t fence; };
static struct meadow north = { NULL, PTHREAD_MUTEX_INITIALIZER }, south = { NULL, PTHREAD_MUTEX_INITIALIZER };

static void meadow_add(struct meadow *meadow)
{
	struct sheep *sheep = calloc(1, sizeof *sheep);
	pthread_mutex_lock(&meadow->fence);
	sheep->next = meadow->first; /* NORACE */
	meadow->first = sheep; /* NORACE */
	pthread_mutex_unlock(&meadow->fence);
}

static void *shearer(void *argument)
{
	meadow_add(&north);
	pthread_mutex_lock(&north.fence);
	for (struct sheep *sheep = north.first; sheep; sheep = sheep->next)
		sheep->wool = 0; /* RACE@wool */
	pthread_mutex_unlock(&north.fence);
	return argument;
}

static void *sun(void *argument)
{
	meadow_add(&south);
	pthread_mutex_lock(&south.fence);
	for (struct sheep *sheep = south.first; sheep; sheep = sheep->next)
		sheep->wool++; /* RACE@wool */
	pthread_mutex_unlock(&south.fence);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	meadow_add(&north);
	south.first = north.first;
	pthread_create(&a, NULL, shearer, NULL);
	pthread_create(&b, NULL, sun, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
