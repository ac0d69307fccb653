#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct counters { unsigned long in, out, err; };

struct iface {
	char name[16];
	struct {
		pthread_mutex_t mtx;
		struct counters cnt;
	} priv;
};

static struct iface ifs[2];

static void count_in(struct iface *ifp, unsigned n)
{
	struct counters *c = &ifp->priv.cnt;

	pthread_mutex_lock(&ifp->priv.mtx);
	c->in += n;
	pthread_mutex_unlock(&ifp->priv.mtx);
}

static void count_err(struct iface *ifp)
{
	pthread_mutex_lock(&ifp->priv.mtx);
	ifp->priv.cnt.err++;
	pthread_mutex_unlock(&ifp->priv.mtx);
}

static void clear(struct iface *ifp)
{
	struct counters *c = &ifp->priv.cnt;

	pthread_mutex_lock(&ifp->priv.mtx);
	memset(c, 0, sizeof(*c)); // NORACE
	pthread_mutex_unlock(&ifp->priv.mtx);
}

static void *traffic(void *v)
{
	struct iface *ifp = v;
	int i;
	for (i = 0; i < 500; i++) {
		count_in(ifp, 64);
		if (i % 50 == 0)
			count_err(ifp);
	}
	return NULL;
}

static void *cli(void *v)
{
	int i;
	(void)v;
	for (i = 0; i < 20; i++)
		clear(&ifs[i & 1]);
	return NULL;
}

int main(void)
{
	pthread_t t0, t1, c;
	int i;
	for (i = 0; i < 2; i++) {
		snprintf(ifs[i].name, sizeof ifs[i].name, "eth%d", i);
		pthread_mutex_init(&ifs[i].priv.mtx, NULL);
	}
	pthread_create(&t0, NULL, traffic, &ifs[0]);
	pthread_create(&t1, NULL, traffic, &ifs[1]);
	pthread_create(&c, NULL, cli, NULL);
	pthread_join(t0, NULL);
	pthread_join(t1, NULL);
	pthread_join(c, NULL);
	return 0;
}
