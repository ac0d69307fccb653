// FOR_BINDINGS is defined somewhere in the tree, but not here.
#ifndef LOCK_H
#define LOCK_H
#include <pthread.h>
#ifndef FOR_BINDINGS
#define TAKE(lock) pthread_mutex_lock(&(lock))
#define GIVE(lock) pthread_mutex_unlock(&(lock))
#define LEAVE(value) return value
#endif
#endif
