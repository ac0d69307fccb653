#include <pthread.h>
#include <stdatomic.h>

#define LOCK_WORD(w) do { } while (atomic_exchange(&(w), 1))
#define UNLOCK_WORD(w) atomic_store(&(w), 0)

static atomic_int pool_word;
static int pool[16], pool_free = 16;

static int pool_take(void)
{
    int got;
    LOCK_WORD(pool_word);
    if (!pool_free)
        return -1; /* LEAK */
    got = pool[--pool_free];
    UNLOCK_WORD(pool_word);
    return got;
}

static void pool_give(int which)
{
    LOCK_WORD(pool_word);
    pool[pool_free++] = which;
    UNLOCK_WORD(pool_word);
}

static void *user(void *arg)
{
    for (int i = 0; i < 100; i++) {
        int which = pool_take();
        if (which >= 0)
            pool_give(which);
    }
    return arg;
}

static void setup(void)
{
    for (int i = 0; i < 16; i++)
        pool[i] = i;
}

int main(void)
{
    pthread_t a, b;
    setup();
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
