#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define SHARDS 4

struct shard {
	pthread_mutex_t *lock;
	unsigned long hits;
};

static struct shard shards[SHARDS];

static void shards_init(void)
{
	int i;
	for (i = 0; i < SHARDS; i++) {
		shards[i].lock = malloc(sizeof(pthread_mutex_t));
		pthread_mutex_init(shards[i].lock, NULL);
	}
}

static void shard_hit(unsigned key)
{
	struct shard *s = &shards[key % SHARDS];

	pthread_mutex_lock(s->lock);
	s->hits++; // NORACE
	pthread_mutex_unlock(s->lock);
}

static void *load(void *arg)
{
	unsigned i, k = *(unsigned *)arg;
	for (i = 0; i < 200; i++)
		shard_hit(k * i);
	return NULL;
}

int main(void)
{
	unsigned keys[3] = { 1, 3, 5 };
	pthread_t t[3];
	int i;

	shards_init();
	for (i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, load, &keys[i]);
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	for (i = 0; i < SHARDS; i++)
		printf("%lu\n", shards[i].hits);
	return 0;
}
