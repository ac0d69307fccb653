#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* vacuum cleaner for a page store: skips tables that are in use */
struct table {
	pthread_mutex_t busy;
	int live, dead;
};

#define NT 5
static struct table tables[NT];

static bool vacuum_table(struct table *t)
{
	bool done = false;

	if (pthread_mutex_trylock(&t->busy) == 0) {
		if (t->dead > 0) {
			t->dead = 0;
			done = true;
		}
	}
	pthread_mutex_unlock(&t->busy); // UNHELD!
	return done;
}

static void update(struct table *t)
{
	pthread_mutex_lock(&t->busy);
	t->live++;
	t->dead++;
	pthread_mutex_unlock(&t->busy);
}

static void *updater(void *arg)
{
	for (int i = 0; i < 40; i++) {
		update(&tables[i % NT]);
		usleep(100);
	}
	return arg;
}

int main(void)
{
	pthread_t t;
	int n = 0;

	for (int i = 0; i < NT; i++)
		pthread_mutex_init(&tables[i].busy, NULL);
	pthread_create(&t, NULL, updater, NULL);
	for (int r = 0; r < 10; r++) {
		for (int i = 0; i < NT; i++)
			n += vacuum_table(&tables[i]);
		usleep(300);
	}
	pthread_join(t, NULL);
	printf("vacuumed %d\n", n);
	return 0;
}
