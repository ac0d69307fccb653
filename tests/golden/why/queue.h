#include <pthread.h>
struct queue {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    int count, dropped;
    int (*full)(struct queue *);
};
