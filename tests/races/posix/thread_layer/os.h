// One of three systems, by names that nobody here defines. All calls of the known functions are behind these macros.
#if HAVE_PLANTHREADS
#include <plan/threads.h>
#define os_thread int
#define os_begin(thread, unused, run, data) plan_begin(thread, run, data)
#define os_end(thread, unused) plan_wait(thread)
#elif HAVE_PTHREADS
#include <pthread.h>
#define os_thread pthread_t
#define os_begin pthread_create
#define os_end pthread_join
#define os_mutex pthread_mutex_t
#define os_take pthread_mutex_lock
#define os_give pthread_mutex_unlock
#define OS_MUTEX PTHREAD_MUTEX_INITIALIZER
#elif HAVE_OTHERTHREADS
#include "other.h"
#else
#define os_thread int
#define os_begin(thread, unused, run, data) (run(data), 0)
#define os_end(thread, unused) 0
#endif
#if !HAVE_PTHREADS && !HAVE_OTHERTHREADS
#define os_mutex int
#define os_take(mutex)
#define os_give(mutex)
#define OS_MUTEX 0
#endif
