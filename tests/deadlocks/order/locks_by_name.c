/* The locks of a harbour are elements of one table, each named by an enumerator; a yard's, by a number behind a macro.
   Cranes go down the quay first, ships go aboard first. */
#include <pthread.h>

enum harbour_lock { HL_QUAY, HL_SHIP, HL_LOG, HL_COUNT };
static pthread_mutex_t harbour[HL_COUNT];
#define ENTER(what) pthread_mutex_lock(&harbour[HL_##what])
#define LEAVE(what) pthread_mutex_unlock(&harbour[HL_##what])

#define YARD_GATE 0
#define YARD_STACK 1
static pthread_spinlock_t yard[2];

static struct { int boxes; int weight; } berths[8];
static int lines, trucks[4], passed;

static void note(int n)
{
	ENTER(LOG);
	lines += n; /* NORACE */
	LEAVE(LOG);
}

static void unload(int berth)
{
	ENTER(QUAY);
	ENTER(SHIP); /* DEADLOCK@quay */
	berths[berth].boxes--; /* NORACE */
	LEAVE(SHIP);
	note(1);
	LEAVE(QUAY);
}

static void board(int berth)
{
	ENTER(SHIP);
	if (berths[berth].boxes > 3) { /* NORACE */
		ENTER(QUAY); /* DEADLOCK@quay */
		berths[berth].weight++; /* NORACE */
		LEAVE(QUAY);
	}
	LEAVE(SHIP);
}

static void drive(int truck)
{
	pthread_spin_lock(&yard[YARD_GATE]);
	trucks[truck]++; /* NORACE */
	pthread_spin_lock(&yard[YARD_STACK]); /* NODEADLOCK */
	passed++;
	pthread_spin_unlock(&yard[YARD_STACK]);
	pthread_spin_unlock(&yard[YARD_GATE]);
}

static void *crane(void *arg)
{
	for (int i = 0; i < 8; i++) {
		unload(i);
		drive(i & 3);
	}
	return arg;
}

static void *ship(void *arg)
{
	for (int i = 0; i < 8; i++) {
		board(i);
		drive(i & 3);
	}
	return arg;
}

int main(void)
{
	pthread_t one, two;
	for (int i = 0; i < HL_COUNT; i++)
		pthread_mutex_init(&harbour[i], 0);
	pthread_spin_init(&yard[YARD_GATE], 0);
	pthread_spin_init(&yard[YARD_STACK], 0);
	pthread_create(&one, 0, crane, 0);
	pthread_create(&two, 0, ship, 0);
	pthread_join(one, 0);
	pthread_join(two, 0);
	return lines;
}
