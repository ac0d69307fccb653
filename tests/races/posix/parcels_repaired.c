/* parcels.c without letters; the weigher keeps the ramp's lock while it has the parcel. */
#include <pthread.h>
#include <stdlib.h>

struct parcel { struct parcel *next; int weight; int label; };
struct lane { pthread_mutex_t lock; struct parcel *head, *tail; };
static struct lane ramp = { PTHREAD_MUTEX_INITIALIZER, NULL, NULL };
static struct lane van = { PTHREAD_MUTEX_INITIALIZER, NULL, NULL };

static void lane_add(struct lane *lane, struct parcel *parcel)
{
	parcel->next = NULL; /* NORACE */
	if (lane->tail)
		lane->tail->next = parcel; /* NORACE */
	else
		lane->head = parcel; /* NORACE */
	lane->tail = parcel; /* NORACE */
}

static struct parcel *lane_take(struct lane *lane)
{
	struct parcel *parcel = lane->head; /* NORACE */
	if (!parcel)
		return NULL;
	lane->head = parcel->next; /* NORACE */
	if (!lane->head)
		lane->tail = NULL;
	return parcel;
}

static void parcel_label(struct parcel *parcel)
{
	parcel->label = parcel->weight; /* NORACE */
}

static void *loader(void *argument)
{
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&ramp.lock);
		struct parcel *parcel = lane_take(&ramp);
		pthread_mutex_unlock(&ramp.lock);
		if (!parcel)
			continue;
		parcel_label(parcel);
		pthread_mutex_lock(&van.lock);
		lane_add(&van, parcel);
		pthread_mutex_unlock(&van.lock);
	}
	return argument;
}

static void *weigher(void *argument)
{
	pthread_mutex_lock(&ramp.lock);
	struct parcel *first = ramp.head; /* NORACE */
	if (first)
		first->weight++; /* NORACE */
	pthread_mutex_unlock(&ramp.lock);
	return argument;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) {
		lane_add(&ramp, calloc(1, sizeof(struct parcel)));
	}
	pthread_create(&threads[0], NULL, loader, NULL);
	pthread_create(&threads[1], NULL, loader, NULL);
	pthread_create(&threads[2], NULL, weigher, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
