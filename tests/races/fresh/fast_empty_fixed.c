#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

/* packet queue with a "cheap" emptiness test */
struct pkt {
	struct pkt *next;
	int len;
};

struct pktq {
	struct pkt *head, *tail;
	int qlen;
	pthread_mutex_t lock;
};

#define PKTQ_INIT(q) { .lock = PTHREAD_MUTEX_INITIALIZER }

static struct pktq rxq = PKTQ_INIT(rxq);

static void pktq_push(struct pktq *q, struct pkt *p)
{
	p->next = NULL;
	pthread_mutex_lock(&q->lock);
	if (q->tail)
		q->tail->next = p;
	else
		q->head = p;
	q->tail = p;
	__atomic_fetch_add(&q->qlen, 1, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&q->lock);
}

static inline int pktq_empty(const struct pktq *q)
{
	return __atomic_load_n(&q->qlen, __ATOMIC_RELAXED) == 0;
}

static struct pkt *pktq_pop(struct pktq *q)
{
	struct pkt *p;

	if (pktq_empty(q))
		return NULL;
	pthread_mutex_lock(&q->lock);
	p = q->head;
	if (p) {
		q->head = p->next;
		if (!q->head)
			q->tail = NULL;
		__atomic_fetch_sub(&q->qlen, 1, __ATOMIC_RELAXED);
	}
	pthread_mutex_unlock(&q->lock);
	return p;
}

static void *nic(void *a)
{
	for (int i = 1; i <= 500; i++) {
		struct pkt *p = malloc(sizeof(*p));
		p->len = i;
		pktq_push(&rxq, p);
	}
	return a;
}

int main(void) // NORACE
{
	pthread_t t;
	long bytes = 0;
	int got = 0;

	pthread_create(&t, NULL, nic, NULL);
	while (got < 500) {
		struct pkt *p = pktq_pop(&rxq);
		if (!p) {
			sched_yield();
			continue;
		}
		bytes += p->len;
		got++;
		free(p);
	}
	pthread_join(t, NULL);
	printf("%ld bytes\n", bytes);
	return 0;
}
