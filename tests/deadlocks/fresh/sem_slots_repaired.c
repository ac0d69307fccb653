#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CAP 4

// bounded queue of work ids
static struct wq {
  int             item[CAP];
  unsigned        in, out;
  pthread_mutex_t mtx;
  sem_t           space, used;
} q = { .mtx = PTHREAD_MUTEX_INITIALIZER };

static void wq_put(struct wq *w, int id)
{
  sem_wait(&w->space);
  pthread_mutex_lock(&w->mtx);
  w->item[w->in++ % CAP] = id;
  pthread_mutex_unlock(&w->mtx);
  sem_post(&w->used);
}

static int wq_take(struct wq *w)
{
  int id;
  sem_wait(&w->used);
  pthread_mutex_lock(&w->mtx);
  id = w->item[w->out++ % CAP];
  pthread_mutex_unlock(&w->mtx);
  sem_post(&w->space);
  return id;
}

static void *consume(void *arg)
{
  long sum = 0;
  int id;
  while ((id = wq_take(&q)) >= 0)
    sum += id;
  return (void *)sum;
}

static void *produce(void *arg)
{
  int base = *(int *)arg;
  for (int i = 0; i < 50; i++)
    wq_put(&q, base + i);
  return NULL;
}

int main(void)
{
  pthread_t p[2], c;
  int base[2] = { 0, 1000 };
  void *sum;

  alarm(3);
  sem_init(&q.space, 0, CAP);
  sem_init(&q.used, 0, 0);
  pthread_create(&c, NULL, consume, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create(&p[i], NULL, produce, &base[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(p[i], NULL);
  wq_put(&q, -1);
  pthread_join(c, &sum);
  printf("sum %ld\n", (long)sum);
  return 0;
}
