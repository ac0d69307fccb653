/* A forwarder: one thread a core. */
#include <rte_eal.h>
#include <rte_lcore.h>
#include <rte_spinlock.h>
#include <rte_rwlock.h>

struct port {
    rte_spinlock_t lock;
    int packets, bytes;
};

static struct port ports[2];
static rte_spinlock_t table = RTE_SPINLOCK_INITIALIZER;
static rte_rwlock_t routes;
static int entries, misses, stale;

static int port_add(struct port *port, int bytes)
{
    rte_spinlock_lock(&port->lock);
    if (bytes < 0)
        return -1; /* LEAK */
    port->packets++; /* NORACE */
    rte_spinlock_lock(&table); /* DEADLOCK@a */
    entries++;
    rte_spinlock_unlock(&table);
    rte_spinlock_unlock(&port->lock);
    return 0;
}

static void table_sweep(struct port *port)
{
    rte_spinlock_lock(&table);
    rte_spinlock_lock(&port->lock); /* DEADLOCK@a */
    entries = 0;
    rte_spinlock_unlock(&port->lock);
    rte_spinlock_unlock(&table);
}

static int forward(void *arg)
{
    struct port *port = arg;
    for (int i = 0; i < 100; i++) {
        port_add(port, i);
        table_sweep(port);
        rte_rwlock_read_lock(&routes);
        i += stale; /* NORACE */
        rte_rwlock_read_unlock(&routes);
        misses++; /* RACE */
    }
    rte_rwlock_write_lock(&routes);
    stale = 1; /* NORACE */
    rte_rwlock_write_unlock(&routes);
    return 0;
}

int main(int argc, char **argv)
{
    rte_eal_init(argc, argv);
    rte_spinlock_init(&ports[0].lock);
    for (unsigned core = 1; core < rte_lcore_count(); core++)
        rte_eal_remote_launch(forward, &ports[0], core);
    rte_eal_mp_wait_lcore();
    return 0;
}
