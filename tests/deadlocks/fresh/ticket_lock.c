#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sched.h>

struct ticket_lock {
    atomic_uint next;
    atomic_uint serving;
};

static void ticket_lock(struct ticket_lock *l)
{
    unsigned me = atomic_fetch_add(&l->next, 1);

    while (atomic_load(&l->serving) != me)
        sched_yield();
}

static void ticket_unlock(struct ticket_lock *l)
{
    atomic_fetch_add(&l->serving, 1);
}

static struct ticket_lock map_lock, heap_lock;
static long mapped, allocated;

static void grow_heap(long n)
{
    ticket_lock(&heap_lock);
    allocated += n;
    ticket_lock(&map_lock); /* DEADLOCK */
    mapped += n;
    ticket_unlock(&map_lock);
    ticket_unlock(&heap_lock);
}

static void unmap(long n)
{
    ticket_lock(&map_lock);
    mapped -= n;
    if (mapped < 0) {
        ticket_lock(&heap_lock); /* DEADLOCK */
        allocated = 0;
        mapped = 0;
        ticket_unlock(&heap_lock);
    }
    ticket_unlock(&map_lock);
}

static void *grower(void *a)
{
    for (int i = 0; i < 500; i++)
        grow_heap(1);
    return a;
}

static void *unmapper(void *a)
{
    for (int i = 0; i < 500; i++)
        unmap(3);
    return a;
}

int main(void)
{
    pthread_t g, u;

    pthread_create(&g, NULL, grower, NULL);
    pthread_create(&u, NULL, unmapper, NULL);
    pthread_join(g, NULL);
    pthread_join(u, NULL);
    printf("%ld %ld\n", mapped, allocated);
    return 0;
}
