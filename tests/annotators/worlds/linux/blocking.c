/* What may sleep, and what looks like it: allocations by their flags, what gives memory back slowly, a lock that is let go. */
#include <linux/spinlock.h>
#include <linux/slab.h>

struct ring {
    spinlock_t lock;
    struct dma_pool *pool;
    void *pages, *buffer;
    int head;
};

void ring_drop(struct ring *ring) {
    spin_lock(&ring->lock);
    vfree(ring->pages); /* SLEEP */
    kfree(ring->buffer); /* NOSLEEP */
    spin_unlock(&ring->lock);
}
void ring_drop_repaired(struct ring *ring) {
    void *pages;
    spin_lock(&ring->lock);
    pages = ring->pages;
    spin_unlock(&ring->lock);
    vfree(pages); /* NOSLEEP */
}
int ring_fill(struct ring *ring, dma_addr_t *handle) {
    spin_lock(&ring->lock);
    ring->buffer = dma_pool_alloc(ring->pool, GFP_KERNEL, handle); /* SLEEP */
    spin_unlock(&ring->lock);
    return 0;
}
int ring_refill(struct ring *ring, dma_addr_t *handle) {
    spin_lock(&ring->lock);
    ring->buffer = dma_pool_alloc(ring->pool, GFP_ATOMIC, handle); /* NOSLEEP */
    ring->pages = skb_clone(ring->pages, GFP_ATOMIC); /* NOSLEEP */
    spin_unlock(&ring->lock);
    return 0;
}
void ring_walk(struct ring *ring, int rounds) {
    spin_lock(&ring->lock);
    while (rounds--) {
        ring->head++;
        cond_resched_lock(&ring->lock); /* NOSLEEP */
    }
    spin_unlock(&ring->lock); /* NOUNHELD */
}
