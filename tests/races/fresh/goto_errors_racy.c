#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buf {
	char *data;
	size_t used, cap;
	unsigned failures;
	pthread_mutex_t mtx;
};

static struct buf journal;

static int buf_append(struct buf *b, const char *s, size_t n)
{
	int err = 0;

	if (n == 0)
		return 0;
	pthread_mutex_lock(&b->mtx);
	if (b->used + n > b->cap) {
		size_t want = (b->used + n) * 2;
		char *p;

		if (want > 4096) {
			err = -ENOSPC;
			goto fail;
		}
		p = realloc(b->data, want);
		if (!p) {
			err = -ENOMEM;
			goto fail;
		}
		b->data = p;
		b->cap = want;
	}
	memcpy(b->data + b->used, s, n);
	b->used += n;
	pthread_mutex_unlock(&b->mtx);
	return 0;

fail:
	pthread_mutex_unlock(&b->mtx);
	b->failures++; // RACE!
	return err;
}

static unsigned buf_failures(struct buf *b)
{
	unsigned n;
	pthread_mutex_lock(&b->mtx);
	n = b->failures;
	pthread_mutex_unlock(&b->mtx);
	return n;
}

static void *scribe(void *arg)
{
	int i;
	for (i = 0; i < 200; i++)
		if (buf_append(&journal, "hello, world", 12) < 0)
			continue;
	return arg;
}

int main(void)
{
	pthread_t t[3];
	int i;

	pthread_mutex_init(&journal.mtx, NULL);
	for (i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, scribe, NULL);
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%u failures\n", buf_failures(&journal));
	free(journal.data);
	return 0;
}
