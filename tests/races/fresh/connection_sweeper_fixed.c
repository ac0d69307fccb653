#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum conn_state { CONN_FREE, CONN_OPEN, CONN_CLOSING };

struct conn {
	pthread_mutex_t lock;
	enum conn_state state;
	long last_active;
	unsigned long rx;
};

struct server {
	struct conn *conns;
	size_t nconns;
	long now;		/* atomic */
};

static struct server S;

static long tick(void)
{
	return __atomic_add_fetch(&S.now, 1, __ATOMIC_RELAXED);
}

static void conn_open(struct conn *c)
{
	pthread_mutex_lock(&c->lock);
	c->state = CONN_OPEN;
	c->last_active = tick();
	c->rx = 0;
	pthread_mutex_unlock(&c->lock);
}

static void conn_data(struct conn *c, unsigned n)
{
	pthread_mutex_lock(&c->lock);
	if (c->state == CONN_OPEN) {
		c->rx += n;
		c->last_active = tick();
	}
	pthread_mutex_unlock(&c->lock);
}

static int sweep(struct server *s, long maxidle)
{
	size_t i;
	int n = 0;

	for (i = 0; i < s->nconns; i++) {
		struct conn *c = s->conns + i;

		pthread_mutex_lock(&c->lock);
		if (c->state == CONN_OPEN && tick() - c->last_active >= maxidle) {
			c->state = CONN_CLOSING;
			n++;
		}
		pthread_mutex_unlock(&c->lock);
	}
	return n; // NORACE
}

static void *io_main(void *arg)
{
	unsigned seed = *(unsigned *)arg;
	int i;
	for (i = 0; i < 400; i++) {
		struct conn *c = &S.conns[rand_r(&seed) % S.nconns];
		if (i % 10 == 0)
			conn_open(c);
		else
			conn_data(c, 100);
	}
	return NULL;
}

static void *sweeper_main(void *arg)
{
	int i, n = 0;
	for (i = 0; i < 20; i++)
		n += sweep(&S, 50);
	*(int *)arg = n;
	return NULL;
}

int main(void)
{
	pthread_t io[2], sw;
	unsigned seeds[2] = { 5, 6 };
	int swept, i;

	S.nconns = 16;
	S.conns = calloc(S.nconns, sizeof *S.conns);
	for (i = 0; i < 16; i++)
		pthread_mutex_init(&S.conns[i].lock, NULL);
	for (i = 0; i < 2; i++)
		pthread_create(&io[i], NULL, io_main, &seeds[i]);
	pthread_create(&sw, NULL, sweeper_main, &swept);
	for (i = 0; i < 2; i++)
		pthread_join(io[i], NULL);
	pthread_join(sw, NULL);
	printf("%d swept\n", swept);
	return 0;
}
