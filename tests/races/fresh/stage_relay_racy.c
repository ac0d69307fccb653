#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { IDLE, LOADED, SOLVED };

static atomic_int stage = IDLE;
static int problem[8];
static long solution;

static void *solver(void *unused)
{
    long s = 0;
    (void)unused;
    while (atomic_load(&stage) != LOADED)
        ;
    for (int i = 0; i < 8; i++)
        s += problem[i] * (long)problem[i];
    atomic_store(&stage, SOLVED);
    solution = s; // RACE!
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, solver, NULL);
    for (int i = 0; i < 8; i++)
        problem[i] = i + 1; // NORACE
    atomic_store(&stage, LOADED);
    while (atomic_load(&stage) != SOLVED)
        ;
    printf("%ld\n", solution);
    pthread_join(t, NULL);
    return 0;
}
