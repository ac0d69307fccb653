#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
	pthread_mutex_t lock;
	unsigned *v;
	size_t n;
	int readonly;
};

static struct table tab = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int table_append(struct table *t, unsigned x)
{
	unsigned *nv;
	int rc = 0;

	pthread_mutex_lock(&t->lock);
	nv = realloc(t->v, (t->n + 1) * sizeof *nv);
	if (!nv) {
		rc = -ENOMEM;
	} else {
		t->v = nv;
		t->v[t->n++] = x;
	}
	pthread_mutex_unlock(&t->lock);
	return rc;
}

static int table_snapshot(struct table *t, size_t max, unsigned **out, size_t *nout)
{
	int rc = 0;
	unsigned *copy = malloc((max + 1) * sizeof *copy);

	if (!copy)
		return -ENOMEM;
	pthread_mutex_lock(&t->lock);
	if (t->n == 0) {
		rc = -ENOENT;
		goto out_unlock;
	}
	if (t->n > max) {
		rc = -E2BIG;
		goto out_free;
	}
	memcpy(copy, t->v, t->n * sizeof *copy);
	*out = copy;
	*nout = t->n;
	pthread_mutex_unlock(&t->lock);
	return 0;

out_unlock:
	pthread_mutex_unlock(&t->lock);
out_free:
	free(copy);
	return rc; // LEAK!
}

static void *producer(void *arg)
{
	for (unsigned i = 0; i < 64; i++)
		if (table_append(&tab, i * i))
			break;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;
	unsigned *s;
	size_t n, max = argc > 1 ? 3 : 100;

	pthread_create(&t, NULL, producer, NULL);
	for (int i = 0; i < 4; i++) {
		int rc = table_snapshot(&tab, max, &s, &n);
		if (rc) {
			fprintf(stderr, "snapshot: %s\n", strerror(-rc));
			continue;
		}
		printf("%zu values\n", n);
		free(s);
	}
	pthread_join(t, NULL);
	free(tab.v);
	return 0;
}
