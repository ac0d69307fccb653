/* Two records found by their numbers, the one with the lower number first: whatever was asked for. */
#include <pthread.h>
#include <stddef.h>

struct seat { int number; int taken; struct seat *next; pthread_rwlock_t guard; };
static struct seat *rows[32];

static struct seat *seat_of(int number)
{
	for (struct seat *s = rows[number % 32]; s; s = s->next)
		if (s->number == number)
			return s;
	return NULL;
}

static int exchange(int mine, int yours)
{
	struct seat *one = seat_of(mine), *two = seat_of(yours);
	if (!one || !two || one == two)
		return -1;
	if (mine > yours) {
		struct seat *swap = one;
		one = two;
		two = swap;
	}
	pthread_rwlock_wrlock(&one->guard);
	pthread_rwlock_wrlock(&two->guard);
	int held = one->taken;
	one->taken = two->taken;
	two->taken = held;
	pthread_rwlock_unlock(&two->guard);
	pthread_rwlock_unlock(&one->guard);
	return 0;
}

static void *clerk(void *argument)
{
	int *wish = argument;
	while (wish[0] >= 0) {
		exchange(wish[0], wish[1]);
		wish += 2;
	}
	return NULL;
}

int main(void)
{
	static int wishes[3][64];
	pthread_t clerks[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&clerks[i], NULL, clerk, wishes[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(clerks[i], NULL);
	return 0;
}
