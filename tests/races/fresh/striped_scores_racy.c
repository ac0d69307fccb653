#include <pthread.h>
#include <stdlib.h>

#define PLAYERS 256
#define STRIPES 16

static int score[PLAYERS];
static pthread_mutex_t stripe[STRIPES];

static void award(int player, int rival, int points)
{
    pthread_mutex_t *m = &stripe[rival % STRIPES];
    pthread_mutex_lock(m);
    score[player] += points; // RACE!
    pthread_mutex_unlock(m);
    (void)rival;
}

static void *season(void *seed)
{
    unsigned s = (unsigned)(size_t)seed;
    for (int round = 0; round < 10000; round++)
        award(rand_r(&s) % PLAYERS, rand_r(&s) % PLAYERS, round % 3);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_init(&stripe[i], 0);
    pthread_create(&a, 0, season, (void *)11);
    pthread_create(&b, 0, season, (void *)22);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return score[7];
}
