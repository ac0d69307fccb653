#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define ZONES 4

struct zone {
    char name[32];
    unsigned serial;
};

static pthread_rwlock_t zones_lock;
static struct zone zones[ZONES];

static int zone_serial(const char *name, unsigned *out)
{
    pthread_rwlock_rdlock(&zones_lock);
    for (int i = 0; i < ZONES; i++) {
        if (strcmp(zones[i].name, name))
            continue;
        *out = zones[i].serial;
        return 1; /* LEAK */
    }
    pthread_rwlock_unlock(&zones_lock);
    return 0;
}

static void zone_bump(int i)
{
    pthread_rwlock_wrlock(&zones_lock);
    zones[i].serial++;
    pthread_rwlock_unlock(&zones_lock);
}

static void *transfer_out(void *arg)
{
    unsigned s = 0;

    for (int i = 0; i < 10; i++)
        if (zone_serial("example.net", &s))
            zone_bump(0);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_rwlock_init(&zones_lock, NULL);
    strcpy(zones[0].name, "example.net");
    pthread_create(&a, NULL, transfer_out, NULL);
    pthread_create(&b, NULL, transfer_out, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
