#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

typedef struct { _Atomic uint32_t word; } slock_t;

static void slock(slock_t *l)
{
    uint32_t expected = 0;

    while (!atomic_compare_exchange_weak(&l->word, &expected, 1))
        expected = 0;
}

static void sunlock(slock_t *l)
{
    atomic_store(&l->word, 0);
}

#define FRAMES 64
static slock_t frames_lock;
static uint8_t used[FRAMES];

static int frame_alloc(void)
{
    slock(&frames_lock);
    for (int i = 0; i < FRAMES; i++) {
        if (!used[i]) {
            used[i] = 1;
            sunlock(&frames_lock);
            return i;
        }
    }
    sunlock(&frames_lock);
    return -1;
}

static void frame_free(int i)
{
    slock(&frames_lock);
    used[i] = 0;
    sunlock(&frames_lock);
}

static void *churn(void *arg)
{
    for (int i = 0; i < 40; i++) {
        int f = frame_alloc();
        if (f >= 0 && f % 3)
            frame_free(f);
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 63; i++)
        frame_alloc();
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, churn, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
