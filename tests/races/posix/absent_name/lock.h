// Nobody defines STUB_LOCKS, and nothing is written for it: it is off.
#include <pthread.h>
#if !STUB_LOCKS
#define TAKE(lock) pthread_mutex_lock(&(lock))
#define GIVE(lock) pthread_mutex_unlock(&(lock))
#endif
#ifdef WITH_WORKERS
#define WORKERS 2
#endif
