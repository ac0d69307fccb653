#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct store { pthread_mutex_t m; int slots[16]; int used; int last_err; };
static struct store st = { .m = PTHREAD_MUTEX_INITIALIZER };

extern int input(void);

static int store_put(struct store *s, int v)
{
	int rc = 0;

	pthread_mutex_lock(&s->m);
	if (v < 0) {
		rc = -EINVAL;
		goto out;
	}
	if (s->used == 16) {
		pthread_mutex_unlock(&s->m);
		s->used = 0; // RACE!
		return -ENOSPC;
	}
	s->slots[s->used++] = v;
out:
	s->last_err = rc;
	pthread_mutex_unlock(&s->m);
	return rc;
}

static void *user(void *a)
{
	int i, bad = 0;
	for (i = 0; i < 300; i++)
		if (store_put(&st, input() % 100) < 0)
			bad++;
	printf("%d\n", bad);
	return a;
}

int main(void)
{
	pthread_t a, b;
	if (pthread_create(&a, NULL, user, NULL) || pthread_create(&b, NULL, user, NULL))
		return 1;
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
