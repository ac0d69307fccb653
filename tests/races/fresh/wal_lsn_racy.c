#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* write-ahead log kept in memory; appenders reserve space under the latch */
#define WAL_CAP (1u << 16)

typedef uint64_t lsn_t;

struct wal {
	pthread_mutex_t	latch;
	lsn_t		next;
	lsn_t		durable;
	uint8_t		buf[WAL_CAP];
};

static struct wal *wal_open(void)
{
	struct wal *w = calloc(1, sizeof(struct wal));

	if (w)
		pthread_mutex_init(&w->latch, NULL);
	return w;
}

static lsn_t wal_append(struct wal *w, const void *rec, uint32_t len)
{
	lsn_t at;

	pthread_mutex_lock(&w->latch);
	at = w->next;
	if (at + len > WAL_CAP) {
		pthread_mutex_unlock(&w->latch);
		return (lsn_t)-1;
	}
	memcpy(w->buf + at, rec, len);
	pthread_mutex_unlock(&w->latch);
	w->next = at + len; // RACE!
	return at;
}

static void wal_sync(struct wal *w)
{
	pthread_mutex_lock(&w->latch);
	if (w->durable < w->next)
		w->durable = w->next;
	pthread_mutex_unlock(&w->latch);
}

static void *txn(void *arg)
{
	struct wal *w = arg;
	char rec[24];

	for (int i = 0; i < 200; i++) {
		int n = snprintf(rec, sizeof rec, "upd row=%d", i);
		if (wal_append(w, rec, (uint32_t)n) == (lsn_t)-1)
			break;
		if (i % 16 == 0)
			wal_sync(w);
	}
	return NULL;
}

int main(void)
{
	struct wal *w = wal_open();
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, txn, w);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	wal_sync(w);
	printf("durable %llu\n", (unsigned long long)w->durable);
	pthread_mutex_destroy(&w->latch);
	free(w);
	return 0;
}
