// Two loops by one iterator, over two lists: what the second does is done.
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/syscalls.h>

struct job {
    struct list_head list;
    int kind;
};
struct board {
    spinlock_t lock;
    struct list_head jobs, late;
    int done;
};

static void count_late(struct board *b) {
    struct job *job;
    spin_lock(&b->lock);
    list_for_each_entry(job, &b->jobs, list)
        if (job->kind == 1)
            b->done++;
    list_for_each_entry(job, &b->late, list)
        if (job->kind == 2)
            b->done++; // NORACE
    spin_unlock(&b->lock);
}

static void board_clear(struct board *b) {
    spin_lock(&b->lock);
    b->done = 0;
    spin_unlock(&b->lock);
}

static void board_add(struct board *b) {
    spin_lock(&b->lock);
    b->done++;
    spin_unlock(&b->lock);
}

static void board_less(struct board *b) {
    spin_lock(&b->lock);
    b->done--;
    spin_unlock(&b->lock);
}

SYSCALL_DEFINE2(board, struct board *, b, int, what) {
    if (what == 1)
        board_clear(b);
    else if (what == 2)
        board_add(b);
    else if (what == 3)
        board_less(b);
    else
        count_late(b);
    return 0;
}
