#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    unsigned long hits, misses, evictions;
} metrics_t;

static metrics_t M;

#define BUMP(field)  __atomic_fetch_add(&M.field, 1ul, __ATOMIC_RELAXED)
#define TAKE(field)  __atomic_exchange_n(&M.field, 0ul, __ATOMIC_RELAXED)

static void *cache_user(void *arg)
{
    unsigned s = (unsigned)(unsigned long)arg;
    for (int i = 0; i < 2000; i++) {
        s = s * 69069u + 1u;
        if (s & 0x40000) {
            BUMP(hits);
        } else {
            BUMP(misses);
            if (s & 0x80000)
                BUMP(evictions);
        }
        if (i % 500 == 0)
            usleep(100);
    }
    return NULL;
}

static metrics_t metrics_take(void)
{
    metrics_t copy;
    copy.hits = TAKE(hits);
    copy.misses = TAKE(misses);
    copy.evictions = TAKE(evictions);
    return copy;
}

static void metrics_reset(void)
{
    memset(&M, 0, sizeof M); // RACE!
}

int main(void)
{
    pthread_t t[2];
    for (unsigned long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, cache_user, (void *)(i + 5));
    usleep(50);
    metrics_reset();        /* do not count the warm-up */
    for (int i = 0; i < 3; i++) {
        usleep(200);
        metrics_t m = metrics_take();
        printf("h %lu m %lu e %lu\n", m.hits, m.misses, m.evictions);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
