struct fifo { int head, tail, bytes; };
struct ali_card { spinlock_t lock; struct fifo fifo; };
