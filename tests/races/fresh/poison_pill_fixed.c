#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define QLEN 16
#define POISON ((void *)-1)

static void *queue[QLEN];
static int q_in, q_out, q_n;
static pthread_mutex_t q_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t q_nonempty = PTHREAD_COND_INITIALIZER, q_nonfull = PTHREAD_COND_INITIALIZER;

static void q_send(void *item)
{
	pthread_mutex_lock(&q_lock);
	while (q_n == QLEN)
		pthread_cond_wait(&q_nonfull, &q_lock);
	queue[q_in] = item;
	q_in = (q_in + 1) % QLEN;
	q_n++;
	pthread_cond_signal(&q_nonempty);
	pthread_mutex_unlock(&q_lock);
}

static void *q_receive(void)
{
	void *item;
	pthread_mutex_lock(&q_lock);
	while (q_n == 0)
		pthread_cond_wait(&q_nonempty, &q_lock);
	item = queue[q_out];
	q_out = (q_out + 1) % QLEN;
	q_n--;
	pthread_cond_signal(&q_nonfull);
	pthread_mutex_unlock(&q_lock);
	return item;
}

struct order { int number; double price; };
static double revenue;
static pthread_mutex_t revenue_lock = PTHREAD_MUTEX_INITIALIZER;

static void *cashier(void *arg)
{
	struct order *o;
	while ((o = q_receive()) != POISON) {
		pthread_mutex_lock(&revenue_lock);
		revenue += o->price; // NORACE
		pthread_mutex_unlock(&revenue_lock);
		free(o);
	}
	return arg;
}

static void *auditor(void *arg)
{
	int i;
	for (i = 0; i < 20; i++) {
		pthread_mutex_lock(&revenue_lock);
		if (revenue < 0)
			puts("?");
		pthread_mutex_unlock(&revenue_lock);
	}
	return arg;
}

int main(void)
{
	pthread_t c[2], a;
	int i;

	for (i = 0; i < 2; i++)
		pthread_create(&c[i], NULL, cashier, NULL);
	pthread_create(&a, NULL, auditor, NULL);
	for (i = 0; i < 100; i++) {
		struct order *o = malloc(sizeof *o);
		o->number = i;
		o->price = i * 1.5;
		q_send(o);
	}
	for (i = 0; i < 2; i++)
		q_send(POISON);
	for (i = 0; i < 2; i++)
		pthread_join(c[i], NULL);
	pthread_join(a, NULL);
	printf("%g\n", revenue);
	return 0;
}
