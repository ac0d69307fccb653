#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHARDS 8

struct entry {
	struct entry *next;
	unsigned key;
	int val;
};

struct shard {
	pthread_mutex_t lock;
	struct entry *chain;
};

static struct {
	struct shard sh[SHARDS];
	size_t count;
} kv;

static struct shard *shard_of(unsigned key)
{
	return &kv.sh[(key * 2654435761u) >> 29];
}

static void kv_set(unsigned key, int val)
{
	struct shard *s = shard_of(key);
	struct entry *e;

	pthread_mutex_lock(&s->lock);
	for (e = s->chain; e; e = e->next)
		if (e->key == key)
			break;
	if (!e) {
		e = malloc(sizeof *e);
		e->key = key;
		e->next = s->chain;
		s->chain = e;
		kv.count++; // RACE!
	}
	e->val = val;
	pthread_mutex_unlock(&s->lock);
}

static int kv_get(unsigned key, int *val)
{
	struct shard *s = shard_of(key);
	int found = 0;

	pthread_mutex_lock(&s->lock);
	for (struct entry *e = s->chain; e && !found; e = e->next)
		if (e->key == key) {
			*val = e->val;
			found = 1;
		}
	pthread_mutex_unlock(&s->lock);
	return found;
}

static void *client(void *arg)
{
	unsigned base = (unsigned)(size_t)arg;
	int v, hits = 0;

	for (unsigned i = 0; i < 300; i++) {
		kv_set(base + i * 7, (int)i);
		hits += kv_get(i * 3, &v);
	}
	return (void *)(size_t)hits;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < SHARDS; i++)
		pthread_mutex_init(&kv.sh[i].lock, NULL);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, client, (void *)(size_t)(i * 1000));
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%zu entries\n", (size_t)kv.count);
	return 0;
}
