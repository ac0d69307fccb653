#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NB 8

typedef struct Item Item;
struct Item {
	Item *next;
	unsigned key;
	int refs;
};

static Item *bucket[NB];
static pthread_mutex_t bucketLock[NB];

static unsigned hashKey(unsigned k) { return (k * 2654435761u) >> 29; }

static Item *lookupLocked(unsigned b, unsigned key)
{
	Item *it = bucket[b];
	while (it && it->key != key)
		it = it->next;
	return it;
}

static void addItem(unsigned key)
{
	unsigned b = hashKey(key);
	Item *it;

	pthread_mutex_lock(&bucketLock[b]);
	it = lookupLocked(b, key);
	if (!it) {
		it = calloc(1, sizeof *it);
		it->key = key;
		it->next = bucket[b];
		bucket[b] = it; // NORACE
	}
	it->refs++;
	pthread_mutex_unlock(&bucketLock[b]);
}

static void dropItem(unsigned key)
{
	unsigned b = hashKey(key);
	Item **at;

	pthread_mutex_lock(&bucketLock[key % NB]);
	for (at = &bucket[b]; *at; at = &(*at)->next) {
		if ((*at)->key == key) {
			if (--(*at)->refs == 0) { // TODO RACE: which of two indices the lock of a bucket goes by is not compared
				Item *dead = *at;
				*at = dead->next;
				free(dead);
			}
			break;
		}
	}
	pthread_mutex_unlock(&bucketLock[key % NB]);
}

static void *mixer(void *arg)
{
	unsigned s = (unsigned)(unsigned long)arg;
	int i;
	for (i = 0; i < 500; i++) {
		unsigned k = rand_r(&s) % 32;
		if (rand_r(&s) & 1)
			addItem(k);
		else
			dropItem(k);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[4];
	int i;

	for (i = 0; i < NB; i++)
		pthread_mutex_init(&bucketLock[i], NULL);
	for (i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, mixer, (void *)(unsigned long)(i + 3));
	for (i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
