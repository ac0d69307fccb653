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
    while (atomic_load(&d->owner) != 0)
        sched_yield();
    atomic_store(&d->owner, me);
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
        desk.papers++; // RACE!
        if (desk.papers % 10 == 0)
            desk.stamps += 2; // RACE!
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
