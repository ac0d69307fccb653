#ifndef SHARE_H
#define SHARE_H
#include <pthread.h>

extern pthread_mutex_t share_lock;
extern int share_price;
int price_read(void);
void *price_watch(void *argument);

static inline void share_enter(void) { pthread_mutex_lock(&share_lock); }
static inline void share_leave(void) { pthread_mutex_unlock(&share_lock); }
#endif
