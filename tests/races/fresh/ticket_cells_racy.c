#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define CELLS 1000
#define CREW 4

static double cell[CELLS];
static atomic_int next_cell;

static void *crew(void *arg)
{
    int at;
    while ((at = atomic_load(&next_cell)) < CELLS) {
        atomic_store(&next_cell, at + 1);
        cell[at] = 1.0 / (at + 1); // RACE!
    }
    return arg;
}

int main(void)
{
    pthread_t t[CREW];
    double sum = 0;
    for (int i = 0; i < CREW; i++)
        pthread_create(&t[i], NULL, crew, NULL);
    for (int i = 0; i < CREW; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < CELLS; i++)
        sum += cell[i];
    printf("%f\n", sum);
    return 0;
}
