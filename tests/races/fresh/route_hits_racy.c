#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define MAXR 16

typedef struct route {
    uint32_t net, mask;
    int      ifindex;
    uint64_t hits;
} route;

static route            table[MAXR];
static int              nroutes;
static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;

static int route_add(uint32_t net, uint32_t mask, int ifi)
{
    int rc = -1;
    pthread_rwlock_wrlock(&table_lock);
    if (nroutes < MAXR) {
        table[nroutes++] = (route){ net, mask, ifi, 0 };
        rc = 0;
    }
    pthread_rwlock_unlock(&table_lock);
    return rc;
}

static int route_lookup(uint32_t dst)
{
    int ifi = -1;
    pthread_rwlock_rdlock(&table_lock);
    for (int i = 0; i < nroutes; i++) {
        if ((dst & table[i].mask) == table[i].net) {
            ifi = table[i].ifindex;
            table[i].hits++; // RACE!
            break;
        }
    }
    pthread_rwlock_unlock(&table_lock);
    return ifi;
}

static void *forwarder(void *arg)
{
    uint32_t a = (uint32_t)(uintptr_t)arg;
    int drops = 0;
    for (int i = 0; i < 2000; i++) {
        if (route_lookup(a) < 0)
            drops++;
        a = a * 1664525u + 1013904223u;
    }
    printf("drops %d\n", drops);
    return NULL;
}

static void *control(void *arg)
{
    for (uint32_t i = 0; i < MAXR; i++)
        route_add(i << 28, 0xf0000000u, (int)i);
    return NULL;
}

int main(void)
{
    pthread_t f1, f2, c;
    pthread_create(&c, NULL, control, NULL);
    pthread_create(&f1, NULL, forwarder, (void *)0x01020304);
    pthread_create(&f2, NULL, forwarder, (void *)0x05060708);
    pthread_join(c, NULL);
    pthread_join(f1, NULL);
    pthread_join(f2, NULL);
    for (int i = 0; i < nroutes; i++)
        printf("%d %llu\n", i, (unsigned long long)table[i].hits);
    return 0;
}
