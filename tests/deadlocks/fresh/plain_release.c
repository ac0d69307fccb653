#include <pthread.h>

typedef volatile int spin_t;
static spin_t a_lock, b_lock;
static int a, b;

static void enter(spin_t *s)
{
    while (__sync_lock_test_and_set(s, 1))
        while (*s)
            ;
}

static void leave(spin_t *s)
{
    __sync_synchronize();
    *s = 0;
}

static void *one(void *arg)
{
    enter(&a_lock);
    enter(&b_lock); /* DEADLOCK */
    a = b;
    leave(&b_lock);
    leave(&a_lock);
    return arg;
}

static void *two(void *arg)
{
    enter(&b_lock);
    enter(&a_lock); /* DEADLOCK */
    b = a;
    leave(&a_lock);
    leave(&b_lock);
    return arg;
}

static void setup(void) { a = b = 0; }

int main(void)
{
    pthread_t a, b;
    setup();
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
