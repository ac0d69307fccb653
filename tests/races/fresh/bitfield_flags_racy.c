#include <pthread.h>
#include <stdio.h>

struct port {
	pthread_mutex_t rx_lock, tx_lock;
	unsigned rx_busy : 1;
	unsigned tx_busy : 1;
	unsigned rx_count;
	unsigned tx_count;
};

static struct port eth0;

static void *rx_task(void *arg)
{
	struct port *p = arg;
	int i;

	for (i = 0; i < 1000; i++) {
		pthread_mutex_lock(&p->rx_lock);
		p->rx_busy = !p->rx_busy; // TODO RACE: neighbouring bits under two locks of one object
		p->rx_count++;
		pthread_mutex_unlock(&p->rx_lock);
	}
	return NULL;
}

static void *tx_task(void *arg)
{
	struct port *p = arg;
	int i;

	for (i = 0; i < 1000; i++) {
		pthread_mutex_lock(&p->tx_lock);
		p->tx_busy = !p->tx_busy;
		p->tx_count++;
		pthread_mutex_unlock(&p->tx_lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t rx, tx;

	pthread_mutex_init(&eth0.rx_lock, NULL);
	pthread_mutex_init(&eth0.tx_lock, NULL);
	pthread_create(&rx, NULL, rx_task, &eth0);
	pthread_create(&tx, NULL, tx_task, &eth0);
	pthread_join(rx, NULL);
	pthread_join(tx, NULL);
	printf("%u %u\n", eth0.rx_count, eth0.tx_count);
	return 0;
}
