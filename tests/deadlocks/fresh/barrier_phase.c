#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

/* particle simulation: threads merge their partial energy, then step together */
#define NTHR   3
#define STEPS  4

static pthread_barrier_t step_barrier;
static pthread_mutex_t   energy_lock = PTHREAD_MUTEX_INITIALIZER;
static double            energy;
static int               merged;

static double simulate(int id, int step)
{
    double e = 0;
    for (int k = 1; k < 500; k++)
        e += 1.0 / (k + id + step);
    return e;
}

static void merge(double e)
{
    pthread_mutex_lock(&energy_lock);
    energy += e;
    merged++;
    pthread_barrier_wait(&step_barrier); // DEADLOCK!
    pthread_mutex_unlock(&energy_lock);
}

static void *sim_thread(void *arg)
{
    int id = (int)(long)arg;
    for (int s = 0; s < STEPS; s++)
        merge(simulate(id, s));
    return NULL;
}

int main(void)
{
    pthread_t t[NTHR];

    alarm(3);
    pthread_barrier_init(&step_barrier, NULL, NTHR);
    for (long i = 0; i < NTHR; i++)
        pthread_create(&t[i], NULL, sim_thread, (void *)i);
    for (int i = 0; i < NTHR; i++)
        pthread_join(t[i], NULL);
    printf("energy %.3f from %d merges\n", energy, merged);
    pthread_barrier_destroy(&step_barrier);
    return 0;
}
