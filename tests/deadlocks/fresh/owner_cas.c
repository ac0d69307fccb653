#include <pthread.h>
#include <stdint.h>
#include <sched.h>

struct tlock { uintptr_t owner; };
static struct tlock meta, data;
static int m, d;

static void tlock_get(struct tlock *l)
{
    uintptr_t me = (uintptr_t)pthread_self();
    while (!__sync_bool_compare_and_swap(&l->owner, 0, me))
        sched_yield();
}

static void tlock_put(struct tlock *l)
{
    __atomic_store_n(&l->owner, 0, __ATOMIC_RELEASE);
}

static void *writer(void *arg)
{
    for (int i = 0; i < 100; i++) {
        tlock_get(&meta);
        tlock_get(&data); /* DEADLOCK */
        m++, d++;
        tlock_put(&data);
        tlock_put(&meta);
    }
    return arg;
}

static void *reader(void *arg)
{
    for (int i = 0; i < 100; i++) {
        tlock_get(&data);
        if (d > 10) {
            tlock_get(&meta); /* DEADLOCK */
            m = d = 0;
            tlock_put(&meta);
        }
        tlock_put(&data);
    }
    return arg;
}

static void setup(void) { m = d = 0; }

int main(void)
{
    pthread_t a, b;
    setup();
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
