#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef void (*job_fn)(void *);

typedef struct job {
  job_fn fn;
  void *arg;
  struct job *next;
} job;

typedef struct {
  pthread_mutex_t mtx;
  pthread_cond_t wake, idle;
  job *head, *tail;
  int busy, stop;
  pthread_t *threads;
  int nthreads;
} pool;

static void *pool_main(void *p) {
  pool *tp = p;
  for (;;) {
    pthread_mutex_lock(&tp->mtx);
    while (!tp->head && !tp->stop)
      pthread_cond_wait(&tp->wake, &tp->mtx);
    if (!tp->head) {
      pthread_mutex_unlock(&tp->mtx);
      return NULL;
    }
    job *j = tp->head;
    tp->head = j->next;
    if (!tp->head)
      tp->tail = NULL;
    tp->busy++;
    pthread_mutex_unlock(&tp->mtx);

    j->fn(j->arg);
    free(j);

    pthread_mutex_lock(&tp->mtx);
    if (--tp->busy == 0 && !tp->head)
      pthread_cond_broadcast(&tp->idle);
    pthread_mutex_unlock(&tp->mtx);
  }
}

static pool *pool_new(int n) {
  pool *tp = calloc(1, sizeof *tp);
  pthread_mutex_init(&tp->mtx, NULL);
  pthread_cond_init(&tp->wake, NULL);
  pthread_cond_init(&tp->idle, NULL);
  tp->nthreads = n;
  tp->threads = calloc(n, sizeof(pthread_t));
  for (int i = 0; i < n; i++)
    pthread_create(&tp->threads[i], NULL, pool_main, tp);
  return tp;
}

static void pool_submit(pool *tp, job_fn fn, void *arg) {
  job *j = malloc(sizeof *j);
  j->fn = fn;
  j->arg = arg;
  j->next = NULL;
  pthread_mutex_lock(&tp->mtx);
  if (tp->tail)
    tp->tail->next = j;
  else
    tp->head = j;
  tp->tail = j;
  pthread_cond_signal(&tp->wake);
  pthread_mutex_unlock(&tp->mtx);
}

static void pool_finish(pool *tp) {
  pthread_mutex_lock(&tp->mtx);
  while (tp->busy || tp->head)
    pthread_cond_wait(&tp->idle, &tp->mtx);
  tp->stop = 1;
  pthread_cond_broadcast(&tp->wake);
  pthread_mutex_unlock(&tp->mtx);
  for (int i = 0; i < tp->nthreads; i++)
    pthread_join(tp->threads[i], NULL);
}

struct tally {
  pthread_mutex_t m;
  int primes;
};
static struct tally tally = { .m = PTHREAD_MUTEX_INITIALIZER };

static void is_prime(void *arg) {
  long n = (long)arg, d;
  for (d = 2; d * d <= n; d++)
    if (n % d == 0)
      return;
  tally.primes++; // RACE!
}

int main(void) {
  pool *tp = pool_new(4);
  for (long n = 2; n < 400; n++)
    pool_submit(tp, is_prime, (void *)n);
  pool_finish(tp);
  printf("%d primes\n", tally.primes);
  return 0;
}
