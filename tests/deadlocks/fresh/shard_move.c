#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SHARDS = 4, PER = 32 };

typedef struct Shard {
    pthread_mutex_t mu;
    int keys[PER];
    int used;
} Shard;

static Shard shards[SHARDS];

static int shard_total(void)
{
    int sum = 0;
    /* consistent snapshot: take everything, lowest first */
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_lock(&shards[i].mu);
    for (int i = 0; i < SHARDS; i++)
        sum += shards[i].used;
    for (int i = SHARDS - 1; i >= 0; i--)
        pthread_mutex_unlock(&shards[i].mu);
    return sum;
}

static void rebalance(unsigned src, unsigned dst)
{
    if (src == dst)
        return;
    pthread_mutex_lock(&shards[src].mu);
    pthread_mutex_lock(&shards[dst].mu); // DEADLOCK!
    while (shards[src].used > shards[dst].used + 1) {
        int k = shards[src].keys[--shards[src].used];
        shards[dst].keys[shards[dst].used++] = k;
    }
    pthread_mutex_unlock(&shards[dst].mu);
    pthread_mutex_unlock(&shards[src].mu);
}

static void *balancer(void *arg)
{
    unsigned r = (unsigned)(size_t)arg;
    for (int i = 0; i < 12; i++) {
        unsigned a = rand_r(&r) % SHARDS, b = rand_r(&r) % SHARDS;
        rebalance(a, b);
        usleep(600);
    }
    return NULL;
}

int main(void)
{
    alarm(5);
    pthread_t b1, b2;
    for (int i = 0; i < SHARDS; i++) {
        pthread_mutex_init(&shards[i].mu, NULL);
        shards[i].used = i * 8;
        for (int k = 0; k < shards[i].used; k++)
            shards[i].keys[k] = i * 100 + k;
    }
    pthread_create(&b1, NULL, balancer, (void *)3);
    pthread_create(&b2, NULL, balancer, (void *)9);
    for (int i = 0; i < 4; i++) {
        usleep(1500);
        printf("%d keys\n", shard_total());
    }
    pthread_join(b1, NULL);
    pthread_join(b2, NULL);
    return 0;
}
