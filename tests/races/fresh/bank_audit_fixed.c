#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NACC 16

struct account {
	pthread_mutex_t lock;
	long balance;
	unsigned ops;
};

static struct account accounts[NACC];

static void transfer(int from, int to, long amount)
{
	struct account *a = &accounts[from], *b = &accounts[to];

	if (from == to)
		return;
	if (from < to) {
		pthread_mutex_lock(&a->lock);
		pthread_mutex_lock(&b->lock);
	} else {
		pthread_mutex_lock(&b->lock);
		pthread_mutex_lock(&a->lock);
	}
	if (a->balance >= amount) {
		a->balance -= amount;
		b->balance += amount;
		a->ops++;
		b->ops++;
	}
	pthread_mutex_unlock(&a->lock);
	pthread_mutex_unlock(&b->lock);
}

static void *teller(void *arg)
{
	unsigned seed = (unsigned)(long)arg;
	int i;

	for (i = 0; i < 2000; i++)
		transfer(rand_r(&seed) % NACC, rand_r(&seed) % NACC, rand_r(&seed) % 50);
	return NULL;
}

static void *auditor(void *arg)
{
	long sum;
	int round, i;

	(void)arg;
	for (round = 0; round < 20; round++) {
		sum = 0;
		for (i = 0; i < NACC; i++) {
			pthread_mutex_lock(&accounts[i].lock);
			sum += accounts[i].balance; // NORACE
			pthread_mutex_unlock(&accounts[i].lock);
		}
		printf("audit: %ld\n", sum);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[4];
	int i;

	for (i = 0; i < NACC; i++) {
		pthread_mutex_init(&accounts[i].lock, NULL);
		accounts[i].balance = 1000;
	}
	for (i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, teller, (void *)(long)(i + 1));
	pthread_create(&t[3], NULL, auditor, NULL);
	for (i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
