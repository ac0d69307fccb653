/* A tiny cache keyed by string with a hit counter. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 64

struct entry {
  struct entry *next;
  char key[24];
  int value;
  unsigned long last_used;
};

struct cache {
  struct entry *table[BUCKETS];
  unsigned long clock;
  unsigned long hits, misses;
  pthread_mutex_t guard;
};

static struct cache *the_cache;

static unsigned hash(const char *s)
{
  unsigned h = 5381;
  while (*s)
    h = h * 33 + (unsigned char)*s++;
  return h % BUCKETS;
}

static struct entry *find(struct cache *c, const char *key)
{
  struct entry *e;
  for (e = c->table[hash(key)]; e; e = e->next)
    if (strcmp(e->key, key) == 0)
      return e;
  return NULL;
}

int cache_get(struct cache *c, const char *key, int *value)
{
  struct entry *e;

  pthread_mutex_lock(&c->guard);
  e = find(c, key);
  if (e) {
    e->last_used = ++c->clock;
    *value = e->value;
    c->hits++; // NORACE
  } else {
    c->misses++;
  }
  pthread_mutex_unlock(&c->guard);
  return e != NULL;
}

void cache_put(struct cache *c, const char *key, int value)
{
  struct entry *e;

  pthread_mutex_lock(&c->guard);
  e = find(c, key);
  if (!e) {
    unsigned h = hash(key);
    e = calloc(1, sizeof *e);
    strncpy(e->key, key, sizeof e->key - 1);
    e->next = c->table[h];
    c->table[h] = e;
  }
  e->value = value;
  e->last_used = ++c->clock;
  pthread_mutex_unlock(&c->guard);
}

static void *worker(void *arg)
{
  char key[24];
  int i, v;

  for (i = 0; i < 300; i++) {
    snprintf(key, sizeof key, "k%d", i % 40);
    if (!cache_get(the_cache, key, &v))
      cache_put(the_cache, key, i);
  }
  return arg;
}

int main(void)
{
  pthread_t a, b;

  the_cache = calloc(1, sizeof *the_cache);
  pthread_mutex_init(&the_cache->guard, NULL);
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%lu hits %lu misses\n", the_cache->hits, the_cache->misses);
  return 0;
}
