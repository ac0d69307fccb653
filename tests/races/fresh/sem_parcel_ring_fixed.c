/* A ring of parcels: `space` counts what is free, `ready` what is filled; each end has its own index. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define DEPTH 16

typedef struct {
    int from, to;
    double weight;
} parcel_t;

static parcel_t belt[DEPTH];
static sem_t space, ready;

static void *loader(void *arg)
{
    int put = 0, n;
    for (n = 0; n < 400; n++) {
        sem_wait(&space);
        belt[put].from = n; // NORACE
        belt[put].to = n * 7 % 31; // NORACE
        belt[put].weight = n / 3.0; // NORACE
        put = (put + 1) % DEPTH;
        sem_post(&ready);
    }
    return arg;
}

static void *unloader(void *arg)
{
    double total = 0;
    int get = 0, n;
    for (n = 0; n < 400; n++) {
        sem_wait(&ready);
        if (belt[get].to != belt[get].from)
            total += belt[get].weight;
        get = (get + 1) % DEPTH;
        sem_post(&space);
    }
    printf("%.2f\n", total);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&space, 0, DEPTH);
    sem_init(&ready, 0, 0);
    pthread_create(&a, NULL, loader, NULL);
    pthread_create(&b, NULL, unloader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
