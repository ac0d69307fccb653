#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/* Cooperative kernel tick: hooks are run by the tick thread. */
typedef void (*tick_hook_t)(void *ctx, uint32_t now);

static struct { tick_hook_t fn; void *ctx; } hooks[4];
static unsigned n_hooks;

typedef struct {
    pthread_spinlock_t sl;
    uint32_t budget;
    uint32_t overruns;
} quota_t;

static quota_t net_quota;
static int led_phase;

static void hook_add(tick_hook_t fn, void *ctx)
{
    hooks[n_hooks].fn = fn;
    hooks[n_hooks++].ctx = ctx;
}

static void quota_refill(void *ctx, uint32_t now)
{
    quota_t *q = ctx;
    if (now % 2 == 0) {
        pthread_spin_lock(&q->sl);
        q->budget += 5; // NORACE
        pthread_spin_unlock(&q->sl);
    }
}

static void led_toggle(void *ctx, uint32_t now)
{
    int *phase = ctx;
    *phase = (int)(now & 1);
}

static void *tick_thread(void *arg)
{
    for (uint32_t now = 0; now < 200; now++) {
        for (unsigned i = 0; i < n_hooks; i++)
            hooks[i].fn(hooks[i].ctx, now);
        usleep(50);
    }
    return arg;
}

static int quota_take(quota_t *q, uint32_t n)
{
    int ok = 0;
    pthread_spin_lock(&q->sl);
    if (q->budget >= n) {
        q->budget -= n;
        ok = 1;
    } else {
        q->overruns++;
    }
    pthread_spin_unlock(&q->sl);
    return ok;
}

int main(void)
{
    pthread_t tick;
    unsigned sent = 0;
    pthread_spin_init(&net_quota.sl, PTHREAD_PROCESS_PRIVATE);
    hook_add(quota_refill, &net_quota);
    hook_add(led_toggle, &led_phase);
    pthread_create(&tick, NULL, tick_thread, NULL);
    for (int i = 0; i < 300; i++) {
        sent += (unsigned)quota_take(&net_quota, 2);
        usleep(30);
    }
    pthread_join(tick, NULL);
    printf("sent %u overruns %u led %d\n", sent, net_quota.overruns, led_phase);
    return 0;
}
