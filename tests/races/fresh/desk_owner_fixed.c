/* A desk belongs to whoever has written his number on it; 0 is nobody. */
#include <pthread.h>
#include <stdatomic.h>
#include <sched.h>

struct desk {
    atomic_int owner;
    int papers, stamps;
};
static struct desk desk;

static void desk_take(struct desk *d, int me)
{
    int nobody = 0;
    while (!atomic_compare_exchange_strong(&d->owner, &nobody, me)) {
        nobody = 0;
        sched_yield();
    }
}

static void desk_leave(struct desk *d)
{
    atomic_store(&d->owner, 0);
}

static void *clerk(void *arg)
{
    int me = (int)(long)arg;
    for (int i = 0; i < 1000; i++) {
        desk_take(&desk, me);
        desk.papers++; // NORACE
        if (desk.papers % 10 == 0)
            desk.stamps += 2; // NORACE
        desk_leave(&desk);
    }
    return 0;
}

int main(void)
{
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, clerk, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return desk.stamps;
}
