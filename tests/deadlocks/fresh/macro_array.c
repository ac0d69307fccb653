#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

typedef enum { LK_ROUTES, LK_PEERS, LK_TIMERS, LK_MAX } lock_id;

static pthread_mutex_t lk[LK_MAX] = {
    [LK_ROUTES] = PTHREAD_MUTEX_INITIALIZER,
    [LK_PEERS]  = PTHREAD_MUTEX_INITIALIZER,
    [LK_TIMERS] = PTHREAD_MUTEX_INITIALIZER,
};

#define LOCK(id)    pthread_mutex_lock(&lk[LK_##id])
#define UNLOCK(id)  pthread_mutex_unlock(&lk[LK_##id])

static struct { int alive, age; } peers[4];
static int routes[16], n_routes;
static int timer_q[64], n_timers;

static void arm_timer(int what)
{
    LOCK(TIMERS);
    if (n_timers < 64)
        timer_q[n_timers++] = what;
    UNLOCK(TIMERS);
}

static void learn_route(int peer, int prefix)
{
    LOCK(PEERS);
    if (peers[peer].alive) {
        LOCK(ROUTES);
        if (n_routes < 16)
            routes[n_routes++] = prefix;
        UNLOCK(ROUTES);
        arm_timer(prefix);
    }
    UNLOCK(PEERS);
}

static void peer_up(int peer)
{
    LOCK(PEERS);
    peers[peer].alive = 1;
    peers[peer].age = 0;
    UNLOCK(PEERS);
}

static void run_timers(void)
{
    LOCK(TIMERS);
    while (n_timers > 0) {
        int p = timer_q[--n_timers] & 3;
        LOCK(PEERS); // DEADLOCK!
        peers[p].age++;
        UNLOCK(PEERS);
    }
    UNLOCK(TIMERS);
}

static void *rx(void *arg)
{
    for (int i = 0; i < 24; i++) {
        peer_up(i & 3);
        learn_route(i & 3, i);
        usleep(350);
    }
    return arg;
}

int main(void)
{
    alarm(5);
    pthread_t t;
    pthread_create(&t, NULL, rx, NULL);
    for (int i = 0; i < 5; i++) {
        usleep(1300);
        run_timers();
    }
    pthread_join(t, NULL);
    printf("%d routes\n", n_routes);
    return 0;
}
