#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct packet {
	struct packet *next;
	int id;
	int checksum;
	char payload[32];
};

struct stage_queue {
	struct packet *first, **last;
	int eof;
	pthread_mutex_t m;
	pthread_cond_t cv;
};

static struct stage_queue parsed, summed;

static void q_init(struct stage_queue *q)
{
	q->first = NULL;
	q->last = &q->first;
	q->eof = 0;
	pthread_mutex_init(&q->m, NULL);
	pthread_cond_init(&q->cv, NULL);
}

static void q_put(struct stage_queue *q, struct packet *p)
{
	pthread_mutex_lock(&q->m);
	if (p) {
		p->next = NULL;
		*q->last = p;
		q->last = &p->next;
	} else {
		q->eof = 1;
	}
	pthread_cond_signal(&q->cv);
	pthread_mutex_unlock(&q->m);
}

static struct packet *q_get(struct stage_queue *q)
{
	struct packet *p;

	pthread_mutex_lock(&q->m);
	while (!q->first && !q->eof)
		pthread_cond_wait(&q->cv, &q->m);
	p = q->first;
	if (p) {
		q->first = p->next;
		if (!q->first)
			q->last = &q->first;
	}
	pthread_mutex_unlock(&q->m);
	return p;
}

static void *parser(void *unused)
{
	int i, k;
	for (i = 0; i < 100; i++) {
		struct packet *p = malloc(sizeof *p);
		p->id = i;
		p->checksum = 0;
		for (k = 0; k < 32; k++)
			p->payload[k] = (char)(i + k);
		q_put(&parsed, p);
	}
	q_put(&parsed, NULL);
	return unused;
}

static void *summer(void *unused)
{
	struct packet *p;
	while ((p = q_get(&parsed))) {
		int sum = 0, k;
		for (k = 0; k < 32; k++)
			sum += p->payload[k];
		q_put(&summed, p);
		p->checksum = sum; // RACE
	}
	q_put(&summed, NULL);
	return unused;
}

static void *writer(void *unused)
{
	struct packet *p;
	while ((p = q_get(&summed))) {
		printf("%d %d\n", p->id, p->checksum);
		p->id = 0;
	}
	return unused;
}

int main(void)
{
	pthread_t a, b, c;
	q_init(&parsed);
	q_init(&summed);
	pthread_create(&a, NULL, parser, NULL);
	pthread_create(&b, NULL, summer, NULL);
	pthread_create(&c, NULL, writer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
