// racerx-verdict: shown
// Locks that are kept on purpose rank below those that are forgotten: a function that takes by one value of its
// parameter and lets go by another.
#include <linux/mutex.h>
#include <linux/spinlock.h>

struct gate {
    struct mutex lock;
    int open;
};
struct queue {
    spinlock_t lock;
    int length, dead;
};

int gate_write(struct gate *gate, int value);

int gate_control(struct gate *gate, int enable) {
    if (enable)
        mutex_lock(&gate->lock);
    if (gate_write(gate, enable) < 0) {
        mutex_unlock(&gate->lock);
        return -5;
    }
    if (!enable)
        mutex_unlock(&gate->lock);
    return 0;
}

/* Forgotten. */
int queue_push(struct queue *queue) {
    spin_lock(&queue->lock);
    if (queue->dead)
        return -19; /* LEAK #1 */
    queue->length++;
    spin_unlock(&queue->lock);
    return 0;
}
