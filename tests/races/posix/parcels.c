/* Parcels move from the ramp to the van. Whoever takes one off the ramp has it alone until it is in the van. But the
   weigher keeps hold of the first parcel after it let go of the ramp's lock, and letters are in a pile and in a book. */
#include <pthread.h>
#include <stdlib.h>

struct parcel { struct parcel *next; int weight; int label; };
struct lane { pthread_mutex_t lock; struct parcel *head, *tail; };
static struct lane ramp = { PTHREAD_MUTEX_INITIALIZER, NULL, NULL };
static struct lane van = { PTHREAD_MUTEX_INITIALIZER, NULL, NULL };

struct letter { struct letter *next, *in_book; int stamps; };
static struct letter *pile, *book;
static pthread_mutex_t pile_lock = PTHREAD_MUTEX_INITIALIZER, book_lock = PTHREAD_MUTEX_INITIALIZER;

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
	parcel->label = parcel->weight; /* RACE@weight */
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
	pthread_mutex_unlock(&ramp.lock);
	if (first)
		first->weight++; /* RACE@weight */
	return argument;
}

static void *stamper(void *argument)
{
	pthread_mutex_lock(&pile_lock);
	struct letter *letter = pile;
	if (letter)
		pile = letter->next;
	pthread_mutex_unlock(&pile_lock);
	if (letter)
		letter->stamps++; /* RACE@stamps */
	return argument;
}

static void *reader(void *argument)
{
	pthread_mutex_lock(&book_lock);
	for (struct letter *letter = book; letter; letter = letter->in_book)
		letter->stamps = 0; /* RACE@stamps */
	pthread_mutex_unlock(&book_lock);
	return argument;
}

int main(void)
{
	pthread_t threads[5];
	for (int i = 0; i < 3; i++) {
		lane_add(&ramp, calloc(1, sizeof(struct parcel)));
		struct letter *letter = calloc(1, sizeof *letter);
		letter->next = pile;
		letter->in_book = book;
		pile = letter;
		book = letter;
	}
	pthread_create(&threads[0], NULL, loader, NULL);
	pthread_create(&threads[1], NULL, loader, NULL);
	pthread_create(&threads[2], NULL, weigher, NULL);
	pthread_create(&threads[3], NULL, stamper, NULL);
	pthread_create(&threads[4], NULL, reader, NULL);
	for (int i = 0; i < 5; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
