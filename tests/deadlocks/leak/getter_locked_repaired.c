/* Who looks up a berth gets it locked, or nothing. Everybody lets it go. */
#include <pthread.h>
#include <stdlib.h>

struct berth { int number, closed, ships; pthread_mutex_t guard; struct berth *next; };
static struct berth *berths;

static struct berth *berth_locked(int number)
{
	for (struct berth *b = berths; b; b = b->next)
		if (b->number == number) {
			pthread_mutex_lock(&b->guard);
			return b;
		}
	return NULL; /* NOLEAK */
}

static void berth_done(struct berth *b)
{
	pthread_mutex_unlock(&b->guard);
}

static int dock(int number)
{
	struct berth *b = berth_locked(number);
	if (!b)
		return -1; /* NOLEAK */
	if (b->closed) {
		berth_done(b);
		return -2; /* NOLEAK */
	}
	b->ships++;
	berth_done(b);
	return 0; /* NOLEAK */
}

static int leave(int number)
{
	struct berth *b = berth_locked(number);
	if (!b)
		return -1; /* NOLEAK */
	if (b->ships)
		b->ships--;
	berth_done(b);
	return 0; /* NOLEAK */
}

static void *ferry(void *arg)
{
	for (int i = 0; i < 9; i++)
		if (!dock(i & 3))
			leave(i & 3);
	return arg;
}

int main(void)
{
	pthread_t one, two;
	for (int i = 0; i < 4; i++) {
		struct berth *b = calloc(1, sizeof *b);
		b->number = i;
		pthread_mutex_init(&b->guard, NULL);
		b->next = berths;
		berths = b;
	}
	pthread_create(&one, NULL, ferry, NULL);
	pthread_create(&two, NULL, ferry, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
