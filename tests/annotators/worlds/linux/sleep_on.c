/* The old way to wait: with interrupts off, so that nobody wakes between the test and the sleep. */
#include <linux/sched.h>
#include <linux/spinlock.h>

static wait_queue_head_t tape_queue;
static spinlock_t tape_lock;
static int tape_ready;

void tape_wait(void) {
    unsigned long flags;
    save_flags(flags);
    cli();
    while (!tape_ready)
        interruptible_sleep_on(&tape_queue); /* NOSLEEP */
    restore_flags(flags);
}
void tape_wait_locked(void) {
    spin_lock(&tape_lock);
    interruptible_sleep_on(&tape_queue); /* SLEEP */
    spin_unlock(&tape_lock);
}
void *tape_open(void) {
    sleep_on(&tape_queue);
    return kmalloc(64, GFP_KERNEL); /* NOSLEEP */
}
void *tape_alloc(void) {
    void *buffer;
    cli();
    buffer = kmalloc(64, GFP_KERNEL); /* SLEEP */
    sti();
    return buffer;
}
