// What another system has instead.
#include "other.h"

int os_take(os_mutex *mutex) {
    if (mutex->busy)
        return other_wait(mutex);
    return 0;
}

int os_give(os_mutex *mutex) { return other_wake(mutex); }
