#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#define SEATS 5

static pthread_mutex_t forks[SEATS];
static int meals[SEATS];

static int left_of(int seat)
{
    return seat;
}

static int right_of(int seat)
{
    return (seat + 1) % SEATS;
}

static void think(int seat)
{
    usleep(10 * (seat + 1));
}

static void eat(int seat)
{
    meals[seat]++;
}

static void *philosopher(void *arg)
{
    int seat = (int)(intptr_t)arg;
    int first = left_of(seat);
    int second = right_of(seat);

    for (int round = 0; round < 20; round++) {
        think(seat);
        pthread_mutex_lock(&forks[first]);
        pthread_mutex_lock(&forks[second]); /* DEADLOCK */
        eat(seat);
        pthread_mutex_unlock(&forks[second]);
        pthread_mutex_unlock(&forks[first]);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[SEATS];

    for (int i = 0; i < SEATS; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (int i = 0; i < SEATS; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)(intptr_t)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < SEATS; i++)
        printf("%d ate %d\n", i, meals[i]);
    return 0;
}
