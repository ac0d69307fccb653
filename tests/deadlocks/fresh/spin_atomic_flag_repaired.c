#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

typedef struct {
    atomic_flag busy;
} spin_t;

#define SPIN_INIT { ATOMIC_FLAG_INIT }

static inline void spin_acquire(spin_t *s)
{
    while (atomic_flag_test_and_set_explicit(&s->busy, memory_order_acquire))
        sched_yield();
}

static inline void spin_release(spin_t *s)
{
    atomic_flag_clear_explicit(&s->busy, memory_order_release);
}

struct pool {
    spin_t lock;
    int free_pages;
};

static struct pool small = { SPIN_INIT, 100 };
static struct pool large = { SPIN_INIT, 100 };

static void refill_small(int n)
{
    spin_acquire(&small.lock);
    if (small.free_pages < n) {
        spin_acquire(&large.lock);
        large.free_pages -= n;
        spin_release(&large.lock);
        small.free_pages += 4 * n;
    }
    spin_release(&small.lock);
}

static void coalesce(int n)
{
    spin_acquire(&small.lock);
    spin_acquire(&large.lock);
    if (large.free_pages < 50) {
        small.free_pages -= 4 * n;
        large.free_pages += n;
    }
    spin_release(&large.lock);
    spin_release(&small.lock);
}

static void *taker(void *arg)
{
    for (int i = 0; i < 1000; i++)
        refill_small(i);
    return arg;
}

static void *giver(void *arg)
{
    for (int i = 0; i < 1000; i++)
        coalesce(i);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, taker, NULL);
    pthread_create(&b, NULL, giver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %d\n", small.free_pages, large.free_pages);
    return 0;
}
