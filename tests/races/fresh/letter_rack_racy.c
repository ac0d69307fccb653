#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A letter that was put on the rack belongs to whoever takes it down. */
#define SLOTS 8

typedef struct {
	char to[32];
	int weight;
	int stamped;
} letter_t;

typedef struct {
	pthread_mutex_t lock;
	letter_t *slots[SLOTS];
	int used;
} rack_t;

static rack_t outgoing = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int rack_put(letter_t *letter, rack_t *rack)
{
	int done = 0;

	pthread_mutex_lock(&rack->lock);
	if (rack->used < SLOTS) {
		rack->slots[rack->used] = letter;
		rack->used++;
		done = 1;
	}
	pthread_mutex_unlock(&rack->lock);
	return done;
}

static letter_t *rack_take(rack_t *rack)
{
	letter_t *letter = NULL;

	pthread_mutex_lock(&rack->lock);
	if (rack->used)
		letter = rack->slots[--rack->used];
	pthread_mutex_unlock(&rack->lock);
	return letter;
}

static void post(letter_t *letter)
{
	while (!rack_put(letter, &outgoing))
		;
}

static void *clerk(void *unused)
{
	for (int i = 0; i < 50; i++) {
		letter_t *letter = malloc(sizeof *letter);

		strcpy(letter->to, "nobody"); // NORACE
		letter->weight = i; // NORACE
		post(letter);
		letter->stamped = 1; // RACE
	}
	return unused;
}

static void *carrier(void *unused)
{
	int carried = 0;

	for (int i = 0; i < 50; i++) {
		letter_t *letter = rack_take(&outgoing);

		if (!letter)
			continue;
		if (!letter->stamped)
			letter->stamped = 2;
		carried += letter->weight;
		free(letter);
	}
	return carried > 100 ? unused : NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, clerk, NULL);
	pthread_create(&b, NULL, carrier, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
