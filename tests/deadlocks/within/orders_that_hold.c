/* Two locks of one type, in an order: each function has another reason why nobody takes them the other way round. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct item { pthread_mutex_t lock; unsigned id; const char *name; struct item *next, *child; int value; };
static struct item *head;
static struct item shelves[16];
static pthread_mutex_t moving = PTHREAD_MUTEX_INITIALIZER;

static int comes_before(const struct item *a, const struct item *b) { return a->id < b->id; }

static void lock_both(struct item *a, struct item *b)
{
	if ((uintptr_t)a < (uintptr_t)b) {
		pthread_mutex_lock(&a->lock);
		pthread_mutex_lock(&b->lock);
	} else {
		pthread_mutex_lock(&b->lock);
		pthread_mutex_lock(&a->lock);
	}
}

static void by_helper(struct item *a, struct item *b)
{
	lock_both(a, b);
	a->value = b->value;
	pthread_mutex_unlock(&a->lock);
	pthread_mutex_unlock(&b->lock);
}

static void by_predicate(struct item *a, struct item *b)
{
	struct item *low = b, *high = a;
	if (comes_before(a, b)) {
		low = a;
		high = b;
	}
	pthread_mutex_lock(&low->lock);
	pthread_mutex_lock(&high->lock);
	a->value = b->value;
	pthread_mutex_unlock(&high->lock);
	pthread_mutex_unlock(&low->lock);
}

static void by_name(struct item *a, struct item *b)
{
	int order = strcmp(a->name, b->name);
	if (order > 0) {
		by_name(b, a);
		return;
	}
	pthread_mutex_lock(&a->lock);
	pthread_mutex_lock(&b->lock);
	a->value += b->value;
	pthread_mutex_unlock(&b->lock);
	pthread_mutex_unlock(&a->lock);
}

static void by_index(int i, int j)
{
	int low = i < j ? i : j, high = i < j ? j : i;
	pthread_mutex_lock(&shelves[low].lock);
	pthread_mutex_lock(&shelves[high].lock);
	shelves[low].value = shelves[high].value;
	pthread_mutex_unlock(&shelves[high].lock);
	pthread_mutex_unlock(&shelves[low].lock);
}

static void by_try(struct item *a, struct item *b)
{
	for (;;) {
		pthread_mutex_lock(&a->lock);
		if (pthread_mutex_trylock(&b->lock) == 0)
			break;
		pthread_mutex_unlock(&a->lock);
	}
	a->value = b->value;
	pthread_mutex_unlock(&b->lock);
	pthread_mutex_unlock(&a->lock);
}

static void by_gate(struct item *a, struct item *b)
{
	pthread_mutex_lock(&moving);
	pthread_mutex_lock(&a->lock);
	pthread_mutex_lock(&b->lock);
	a->value = b->value;
	pthread_mutex_unlock(&b->lock);
	pthread_mutex_unlock(&a->lock);
	pthread_mutex_unlock(&moving);
}

static int hand_over_hand(unsigned id)
{
	struct item *last = head, *at;
	int found = 0;
	pthread_mutex_lock(&last->lock);
	for (at = last->next; at; at = at->next) {
		pthread_mutex_lock(&at->lock);
		pthread_mutex_unlock(&last->lock);
		last = at;
		found += at->id == id;
	}
	pthread_mutex_unlock(&last->lock);
	return found;
}

static void into_child(struct item *item)
{
	pthread_mutex_lock(&item->lock);
	struct item *child = item->child;
	pthread_mutex_lock(&child->lock);
	child->value = item->value;
	pthread_mutex_unlock(&child->lock);
	pthread_mutex_unlock(&item->lock);
}

static void one_of_its_own(struct item *item)
{
	struct item *copy = malloc(sizeof *copy);
	pthread_mutex_init(&copy->lock, NULL);
	pthread_mutex_lock(&item->lock);
	pthread_mutex_lock(&copy->lock);
	copy->value = item->value;
	pthread_mutex_unlock(&copy->lock);
	pthread_mutex_unlock(&item->lock);
	free(copy);
}

static void ascending(void)
{
	for (int i = 0; i + 1 < 16; i++) {
		pthread_mutex_lock(&shelves[i].lock);
		pthread_mutex_lock(&shelves[i + 1].lock);
		shelves[i].value = shelves[i + 1].value;
		pthread_mutex_unlock(&shelves[i + 1].lock);
		pthread_mutex_unlock(&shelves[i].lock);
	}
}

static void *work(void *argument)
{
	struct item **pair = argument;
	by_helper(pair[0], pair[1]);
	by_predicate(pair[0], pair[1]);
	by_name(pair[0], pair[1]);
	by_index((int)pair[0]->id, (int)pair[1]->id);
	by_try(pair[0], pair[1]);
	by_gate(pair[0], pair[1]);
	hand_over_hand(pair[0]->id);
	into_child(pair[0]);
	one_of_its_own(pair[0]);
	ascending();
	return NULL;
}

int main(void)
{
	static struct item *pairs[4][2];
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work, pairs[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
