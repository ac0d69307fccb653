#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sched.h>

typedef atomic_bool tiny_lock;

static void tiny_acquire(tiny_lock *l)
{
    bool off = false;

    while (!atomic_compare_exchange_strong(l, &off, true)) {
        off = false;
        sched_yield();
    }
}

static void tiny_release(tiny_lock *l)
{
    atomic_store_explicit(l, false, memory_order_release);
}

static tiny_lock nodes_lock, edges_lock;
static int nodes, edges;

static void add_edge(void)
{
    tiny_acquire(&edges_lock);
    edges++;
    tiny_acquire(&nodes_lock);
    nodes += 2;
    tiny_release(&nodes_lock);
    tiny_release(&edges_lock);
}

static void drop_node(void)
{
    tiny_acquire(&edges_lock);
    tiny_acquire(&nodes_lock);
    nodes--;
    edges--;
    tiny_release(&nodes_lock);
    tiny_release(&edges_lock);
}

static void *adder(void *arg)
{
    for (int i = 0; i < 500; i++)
        add_edge();
    return arg;
}

static void *dropper(void *arg)
{
    for (int i = 0; i < 500; i++)
        drop_node();
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, adder, NULL);
    pthread_create(&b, NULL, dropper, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
