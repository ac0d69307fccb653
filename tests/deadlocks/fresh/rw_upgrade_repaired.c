#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* DNS cache with a reader/writer lock */
typedef struct rec {
    char        name[24];
    unsigned    addr;
    int         ttl;
    struct rec *next;
} rec;

static rec             *zone;
static pthread_rwlock_t zone_rw = PTHREAD_RWLOCK_INITIALIZER;
static int              ttl_start = 1000;

static rec *zone_find(const char *name)
{
    for (rec *r = zone; r; r = r->next)
        if (!strcmp(r->name, name))
            return r;
    return NULL;
}

static void zone_add(const char *name, unsigned addr)
{
    rec *r = calloc(1, sizeof *r);
    snprintf(r->name, sizeof r->name, "%s", name);
    r->addr = addr;
    r->ttl = ttl_start;
    pthread_rwlock_wrlock(&zone_rw);
    r->next = zone;
    zone = r;
    pthread_rwlock_unlock(&zone_rw);
}

static void zone_expire(const char *name)
{
    pthread_rwlock_wrlock(&zone_rw);
    for (rec **pp = &zone; *pp; pp = &(*pp)->next)
        if (!strcmp((*pp)->name, name) && (*pp)->ttl <= 0) {
            rec *dead = *pp;
            *pp = dead->next;
            free(dead);
            break;
        }
    pthread_rwlock_unlock(&zone_rw);
}

static int zone_resolve(const char *name, unsigned *addr)
{
    int found = 0;
    int stale = 0;
    pthread_rwlock_rdlock(&zone_rw);
    rec *r = zone_find(name);
    if (r && r->ttl > 0) {
        *addr = r->addr;
        found = 1;
    } else if (r) {
        stale = 1;
    }
    pthread_rwlock_unlock(&zone_rw);
    if (stale)
        zone_expire(name);
    return found;
}

static void *resolver(void *arg)
{
    unsigned a = 0, hits = 0;
    for (int i = 0; i < 50; i++)
        hits += (unsigned)zone_resolve(arg, &a);
    printf("%s: %u hits\n", (const char *)arg, hits);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    if (argc > 1)
        ttl_start = 0;
    zone_add("ns1", 0x0a000001);
    zone_add("mail", 0x0a000002);
    pthread_create(&a, NULL, resolver, "ns1");
    pthread_create(&b, NULL, resolver, "mail");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
