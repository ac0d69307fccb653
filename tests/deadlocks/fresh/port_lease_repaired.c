#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* NAT port leases, one bit per port */
#define PORT_LO 40000
#define PORT_N  256

static struct portmap {
	pthread_mutex_t lock;
	uint32_t bits[PORT_N / 32];
	unsigned leases;
} pm = { .lock = PTHREAD_MUTEX_INITIALIZER };

static bool port_busy(struct portmap *m, unsigned p)
{
	bool b;

	pthread_mutex_lock(&m->lock);
	b = m->bits[p / 32] >> (p % 32) & 1;
	pthread_mutex_unlock(&m->lock);
	return b;
}

static bool port_mark(struct portmap *m, unsigned p)
{
	bool mine;

	pthread_mutex_lock(&m->lock);
	mine = !(m->bits[p / 32] >> (p % 32) & 1);
	if (mine) {
		m->bits[p / 32] |= 1u << (p % 32);
		m->leases++;
	}
	pthread_mutex_unlock(&m->lock);
	return mine;
}

static void port_free(struct portmap *m, unsigned p)
{
	pthread_mutex_lock(&m->lock);
	m->bits[p / 32] &= ~(1u << (p % 32));
	m->leases--;
	pthread_mutex_unlock(&m->lock);
}

static int lease_port(struct portmap *m, unsigned hint)
{
	for (unsigned i = 0; i < PORT_N; i++) {
		unsigned p = (hint + i) % PORT_N;

		if (port_busy(m, p))
			continue;
		if (port_mark(m, p))
			return (int)(PORT_LO + p);
	}
	return -1;
}

static void *flow(void *arg)
{
	int got[20];

	for (int i = 0; i < 20; i++)
		got[i] = lease_port(&pm, 7u * (unsigned)i);
	for (int i = 0; i < 20; i += 2)
		if (got[i] >= 0)
			port_free(&pm, (unsigned)got[i] - PORT_LO);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, flow, NULL);
	pthread_create(&b, NULL, flow, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%u leases left\n", pm.leases);
	return 0;
}
