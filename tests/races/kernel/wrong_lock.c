// racerx-verdict: shown
/* Eight times under the queue's lock, once under the device's. */
#include <linux/slab.h>
#include <linux/spinlock.h>

struct queue { spinlock_t queue_lock; spinlock_t device_lock; int depth; int speed; };

void queue_push(struct queue *q) { spin_lock(&q->queue_lock); q->depth++; spin_unlock(&q->queue_lock); }
void queue_pop(struct queue *q) { spin_lock(&q->queue_lock); q->depth--; spin_unlock(&q->queue_lock); }
void queue_clear(struct queue *q) { spin_lock(&q->queue_lock); q->depth = 0; spin_unlock(&q->queue_lock); }
int queue_depth(struct queue *q) { int d; spin_lock(&q->queue_lock); d = q->depth; spin_unlock(&q->queue_lock); return d; }
int queue_full(struct queue *q) { int f; spin_lock(&q->queue_lock); f = q->depth > 31; spin_unlock(&q->queue_lock); return f; }
int queue_empty(struct queue *q) { int e; spin_lock(&q->queue_lock); e = !q->depth; spin_unlock(&q->queue_lock); return e; }
void queue_half(struct queue *q) { spin_lock(&q->queue_lock); q->depth /= 2; spin_unlock(&q->queue_lock); }
void queue_set(struct queue *q, int d) { spin_lock(&q->queue_lock); q->depth = d; spin_unlock(&q->queue_lock); }
void queue_speed(struct queue *q, int s) { spin_lock(&q->device_lock); q->speed = s; /* NORACE */ spin_unlock(&q->device_lock); }

void queue_restart(struct queue *q)
{
	spin_lock(&q->device_lock);
	q->speed = 0; /* NORACE */
	q->depth = 0; /* RACE */
	spin_unlock(&q->device_lock);
}
