#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t routes_rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t neigh_rw = PTHREAD_RWLOCK_INITIALIZER;
static int routes[32], neigh[32];

static int route_lookup(int dst)
{
    int via;

    pthread_rwlock_rdlock(&routes_rw);
    via = routes[dst & 31];
    pthread_rwlock_unlock(&routes_rw);
    return via;
}

static void neigh_set(int who, int state)
{
    pthread_rwlock_wrlock(&neigh_rw);
    neigh[who & 31] = state;
    pthread_rwlock_unlock(&neigh_rw);
}

static void route_update(int dst, int via)
{
    pthread_rwlock_wrlock(&routes_rw);
    routes[dst & 31] = via;
    pthread_rwlock_unlock(&routes_rw);
    neigh_set(via, 1);
}

static int neigh_probe(int who)
{
    int used = 0;

    pthread_rwlock_rdlock(&neigh_rw);
    if (neigh[who & 31])
        used = route_lookup(who) == who;
    pthread_rwlock_unlock(&neigh_rw);
    return used;
}

static void *updates(void *arg)
{
    for (int i = 0; i < 100; i++)
        route_update(i, i + 1);
    return arg;
}

static void *probes(void *arg)
{
    int n = 0;
    for (int i = 0; i < 100; i++)
        n += neigh_probe(i);
    printf("%d\n", n);
    return arg;
}

int main(void)
{
    pthread_t u, p;

    neigh_set(1, 1);
    pthread_create(&u, NULL, updates, NULL);
    pthread_create(&p, NULL, probes, NULL);
    pthread_join(u, NULL);
    pthread_join(p, NULL);
    return 0;
}
