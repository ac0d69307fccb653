#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  unsigned lo, hi;
  unsigned long long result;
  pthread_t tid;
} part_t;

static void *sum_squares(void *p) {
  part_t *part = p;
  for (unsigned i = part->lo; i < part->hi; i++)
    part->result += (unsigned long long)i * i; // NORACE
  return NULL;
}

int main(void) {
  enum { N = 5 };
  part_t *parts = calloc(N, sizeof *parts);
  unsigned long long total = 0;

  for (int i = 0; i < N; i++) {
    part_t *p = &parts[i];
    p->lo = i * 100;
    p->hi = p->lo + 100;
    if (pthread_create(&p->tid, NULL, sum_squares, p) != 0)
      exit(1);
  }
  for (int i = 0; i < N; i++) {
    pthread_join(parts[i].tid, NULL);
    total += parts[i].result;
  }
  printf("%llu\n", total);
  free(parts);
  return 0;
}
