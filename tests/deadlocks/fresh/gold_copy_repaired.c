#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

/* market of a strategy game */
struct player {
	pthread_mutex_t lock;
	long gold;
	int swords;
	int purchases;
};

static struct player players[2] = {
	{ .lock = PTHREAD_MUTEX_INITIALIZER, .gold = 5000 },
	{ .lock = PTHREAD_MUTEX_INITIALIZER, .gold = 3000 },
};

static pthread_mutex_t price_lock = PTHREAD_MUTEX_INITIALIZER;
static long sword_price = 20;

static long quote(int n)
{
	long p;

	pthread_mutex_lock(&price_lock);
	p = sword_price * n;
	sword_price += n / 4;
	pthread_mutex_unlock(&price_lock);
	return p;
}

static int buy_swords(struct player *pl, int n)
{
	long cost;

	cost = quote(n);
	pthread_mutex_lock(&pl->lock);
	if (cost > pl->gold) {
		pthread_mutex_unlock(&pl->lock);
		return -1;
	}
	pl->gold -= cost;
	pl->swords += n;
	pl->purchases++;
	pthread_mutex_unlock(&pl->lock);
	return 0;
}

static void collect_tax(struct player *pl, long amount)
{
	pthread_mutex_lock(&pl->lock);
	pl->gold += amount;
	pthread_mutex_unlock(&pl->lock);
}

static void *taxman(void *arg)
{
	for (int i = 0; i < 40; i++) {
		collect_tax(&players[i & 1], 10);
		usleep(60);
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, taxman, NULL);
	for (int i = 0; i < 20; i++) {
		buy_swords(&players[i & 1], 2 + i % 3);
		usleep(100);
	}
	pthread_join(t, NULL);
	for (int i = 0; i < 2; i++)
		printf("gold %ld swords %d\n", players[i].gold, players[i].swords);
	return 0;
}
