// Locks with numbers in other clothes: two globals, a turn that is looked at in an endless loop, one that is set to the
// next number, one that is counted up plainly by who has it.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_uint drawn_number, shown_number;
static long stamps, parcels, letters;

struct hall {
	unsigned next;
	volatile unsigned now;
	char pad[56];
};
struct office {
	struct hall hall;
	long forms, seals;
};
static struct office offices[2];

static void stamp_desk_enter(void)
{
	unsigned mine = atomic_fetch_add_explicit(&drawn_number, 1, memory_order_relaxed);
	for (;;) {
		unsigned shown = atomic_load_explicit(&shown_number, memory_order_acquire);
		if (shown == mine)
			break;
		sched_yield();
	}
}

static void stamp_desk_leave(void)
{
	unsigned now = atomic_load_explicit(&shown_number, memory_order_relaxed);
	atomic_store_explicit(&shown_number, now + 1, memory_order_release);
}

static void hall_enter(struct hall *h)
{
	unsigned number = __sync_fetch_and_add(&h->next, 1);
	while (h->now != number) /* NORACE */
		;
	__sync_synchronize();
}

static void hall_leave(struct hall *h)
{
	__sync_synchronize();
	h->now++; /* NORACE */
}

static void file_form(struct office *o, int sealed)
{
	hall_enter(&o->hall);
	o->forms++; /* NORACE */
	if (sealed)
		o->seals += 2; /* NORACE */
	hall_leave(&o->hall);
}

static void *citizen(void *arg)
{
	for (int i = 0; i < 100; i++) {
		stamp_desk_enter();
		stamps++; /* NORACE */
		if (stamps % 3 == 0) /* NORACE */
			letters = stamps; /* NORACE */
		stamp_desk_leave();
		file_form(&offices[i & 1], i % 5 == 0);
	}
	return arg;
}

int main(void)
{
	pthread_t one, two, three;
	pthread_create(&one, NULL, citizen, NULL);
	pthread_create(&two, NULL, citizen, NULL);
	pthread_create(&three, NULL, citizen, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	pthread_join(three, NULL);
	return (int)(stamps + parcels);
}
