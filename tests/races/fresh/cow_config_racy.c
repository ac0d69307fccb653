#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Copy-on-write configuration: readers grab a counted snapshot. */
typedef struct cfg {
    int  refs;               /* under cfg_mu */
    int  timeout_ms;
    char upstream[32];
} cfg_t;

static pthread_mutex_t cfg_mu = PTHREAD_MUTEX_INITIALIZER;
static cfg_t *current;

static void cfg_put_locked(cfg_t *c)
{
    if (--c->refs == 0)
        free(c);
}

static cfg_t *cfg_get(void)
{
    cfg_t *c;
    pthread_mutex_lock(&cfg_mu);
    c = current;
    c->refs++;
    pthread_mutex_unlock(&cfg_mu);
    return c;
}

static void cfg_put(cfg_t *c)
{
    pthread_mutex_lock(&cfg_mu);
    cfg_put_locked(c);
    pthread_mutex_unlock(&cfg_mu);
}

static void cfg_update(int timeout, const char *up)
{
    cfg_t *n = calloc(1, sizeof *n);
    if (!n) return;
    n->refs = 1;
    n->timeout_ms = timeout;
    strncpy(n->upstream, up, sizeof n->upstream - 1);
    pthread_mutex_lock(&cfg_mu);
    cfg_t *old = current;
    current = n;
    if (old) cfg_put_locked(old);
    pthread_mutex_unlock(&cfg_mu);
}

static void cfg_set_timeout(int timeout)
{
    cfg_t *c = cfg_get();
    c->timeout_ms = timeout; // RACE!
    cfg_put(c);
}

static void *request_loop(void *a)
{
    long total = 0;
    for (int i = 0; i < 500; i++) {
        cfg_t *c = cfg_get();
        usleep(20);             /* talk to the upstream */
        total += c->timeout_ms + (long)strlen(c->upstream);
        cfg_put(c);
    }
    printf("%ld\n", total);
    return a;
}

int main(void)
{
    pthread_t t[2];
    char name[32];
    cfg_update(100, "10.0.0.1");
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, request_loop, 0);
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "10.0.0.%d", i);
        cfg_update(100 + i, name);
        usleep(100);
        cfg_set_timeout(i);
    }
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    cfg_put(current);
    return 0;
}
