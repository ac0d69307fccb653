#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  int    *v;
  size_t  n, cap;
  pthread_mutex_t mu;
} idstack;

static idstack freeids = { .mu = PTHREAD_MUTEX_INITIALIZER };

static void id_release(idstack *s, int id)
{
  pthread_mutex_lock(&s->mu);
  if (s->n == s->cap) {
    s->cap = s->cap ? s->cap * 2 : 8;
    s->v = realloc(s->v, s->cap * sizeof *s->v);
  }
  s->v[s->n++] = id;
  pthread_mutex_unlock(&s->mu);
}

static int id_acquire(idstack *s)
{
  size_t avail;
  int id;

  pthread_mutex_lock(&s->mu);
  avail = s->n;
  pthread_mutex_unlock(&s->mu);
  if (avail == 0)
    return -1;

  pthread_mutex_lock(&s->mu);
  id = s->v[--s->n]; // STALE-CHECK!
  pthread_mutex_unlock(&s->mu);
  return id;
}

static void *requester(void *arg)
{
  int denied = 0;
  for (int i = 0; i < 30; i++) {
    int id = id_acquire(&freeids);
    if (id < 0) {
      denied++;
      continue;
    }
    usleep(50);
    id_release(&freeids, id);
  }
  return (void *)(long)denied;
}

int main(void)
{
  pthread_t t[3];
  for (int i = 0; i < 6; i++)
    id_release(&freeids, 100 + i);
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, requester, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  printf("%zu ids free\n", freeids.n);
  free(freeids.v);
  return 0;
}
