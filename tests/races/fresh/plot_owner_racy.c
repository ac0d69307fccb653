#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define PLOTS 12

/* farming game: each plot has its own mutex */
typedef enum { EMPTY, SEEDED, RIPE } plot_state;

struct plot {
  pthread_mutex_t mtx;
  plot_state state;
  int water;
};

static struct plot field[PLOTS];

static int neighbour(int i) { return (i + 1) % PLOTS; }

static void seed_plot(int i)
{
  pthread_mutex_lock(&field[i].mtx);
  if (field[i].state == EMPTY)
    field[i].state = SEEDED;
  field[i].water += 2;
  pthread_mutex_unlock(&field[i].mtx);
}

/* water spills over into the next plot */
static void spill(int i, int amount)
{
  int n = neighbour(i);
  pthread_mutex_lock(&field[i].mtx);
  field[n].water += amount; // RACE!
  pthread_mutex_unlock(&field[i].mtx);
}

static void ripen(int i)
{
  pthread_mutex_lock(&field[i].mtx);
  if (field[i].state == SEEDED && field[i].water > 3) {
    field[i].state = RIPE;
    field[i].water -= 3;
  }
  pthread_mutex_unlock(&field[i].mtx);
}

static void *farmer(void *arg)
{
  unsigned s = (unsigned)(size_t)arg;
  for (int k = 0; k < 600; k++) {
    int i = rand_r(&s) % PLOTS;
    seed_plot(i);
    spill(i, 1);
    ripen(neighbour(i));
  }
  return NULL;
}

int main(void)
{
  pthread_t f[3];
  int ripe = 0;
  for (int i = 0; i < PLOTS; i++)
    pthread_mutex_init(&field[i].mtx, NULL);
  for (size_t i = 0; i < 3; i++)
    pthread_create(&f[i], NULL, farmer, (void *)(i + 11));
  for (int i = 0; i < 3; i++)
    pthread_join(f[i], NULL);
  for (int i = 0; i < PLOTS; i++)
    ripe += field[i].state == RIPE;
  printf("%d ripe\n", ripe);
  return 0;
}
