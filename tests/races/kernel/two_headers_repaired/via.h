struct fifo { int head, tail, bytes; };
struct via_card { spinlock_t lock; struct fifo fifo; };
