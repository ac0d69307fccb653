/* Two tills of one table by their numbers, in the order in which they were asked for: what is compared once both are
   taken is what is in them, and puts nobody first. */
#include <pthread.h>
#include <stdlib.h>

#define TILLS 6
static struct till {
	pthread_mutex_t guard;
	int coins, notes;
} tills[TILLS];

static void level(int from, int to)
{
	if (to == from)
		return;
	pthread_mutex_lock(&tills[from].guard);
	pthread_mutex_lock(&tills[to].guard); /* DEADLOCK */
	if (tills[from].coins > tills[to].coins) { /* NORACE */
		int half = (tills[from].coins - tills[to].coins) / 2;
		tills[from].coins -= half; /* NORACE */
		tills[to].coins += half; /* NORACE */
	}
	pthread_mutex_unlock(&tills[to].guard);
	pthread_mutex_unlock(&tills[from].guard);
}

static void *cashier(void *seed)
{
	unsigned state = *(unsigned *)seed;
	for (int i = 0; i < 50; i++) {
		int give = rand_r(&state) % TILLS, get = rand_r(&state) % TILLS;
		level(give, get);
	}
	return NULL;
}

int main(void)
{
	unsigned seeds[] = {11, 12, 13};
	pthread_t staff[3];
	for (int i = 0; i < TILLS; i++)
		pthread_mutex_init(&tills[i].guard, NULL);
	for (int i = 0; i < 3; i++)
		pthread_create(&staff[i], NULL, cashier, &seeds[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(staff[i], NULL);
	return 0;
}
