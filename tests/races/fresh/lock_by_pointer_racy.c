#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct channel {
	int id;
	unsigned bytes;
	pthread_mutex_t *mu;	/* the mixer's, all channels share it */
	struct mixer *mixer;
};

struct mixer {
	unsigned long mixed;
	pthread_mutex_t lock;
	struct channel ch[2];
};

static void channel_open(struct mixer *mx, int id)
{
	struct channel *c = &mx->ch[id];

	c->id = id;
	c->bytes = 0;
	c->mixer = mx;
	c->mu = malloc(sizeof *c->mu);
	pthread_mutex_init(c->mu, NULL);
}

static void channel_feed(struct channel *c, unsigned n)
{
	pthread_mutex_lock(c->mu);
	c->bytes += n;
	c->mixer->mixed += n; // TODO RACE: a pointer to a lock that was made for it alone
	pthread_mutex_unlock(c->mu);
}

static void *player(void *arg)
{
	struct channel *c = arg;
	unsigned i;

	for (i = 0; i < 400; i++)
		channel_feed(c, i);
	return NULL;
}

int main(void)
{
	struct mixer *mx = calloc(1, sizeof *mx);
	pthread_t t[2];
	int i;

	pthread_mutex_init(&mx->lock, NULL);
	for (i = 0; i < 2; i++)
		channel_open(mx, i);
	for (i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, player, &mx->ch[i]);
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%lu\n", mx->mixed);
	return 0;
}
