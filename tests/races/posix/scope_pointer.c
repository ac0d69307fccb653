// A pointer to a lock that is let go when the pointer's scope ends: what comes after the scope is done without it.
#include <pthread.h>

static pthread_mutex_t pump_lock = PTHREAD_MUTEX_INITIALIZER, valve_lock = PTHREAD_MUTEX_INITIALIZER;
static int level, turns, opened;

static void end_of_scope(pthread_mutex_t **held) { pthread_mutex_unlock(*held); }

#define WITH(name, lock)                                                                                               \
    __attribute__((cleanup(end_of_scope))) pthread_mutex_t *name = (lock);                                             \
    do {                                                                                                               \
        if (pthread_mutex_lock(name))                                                                                  \
            __builtin_trap();                                                                                          \
    } while (0)

static int pumped(int by) {
    {
        WITH(held, &pump_lock);
        if (level + by < 0)
            return -1;
        level += by; // NORACE
    }
    turns++; // RACE!
    return 0;
}

static void open_valve(void) {
    WITH(held, &valve_lock);
    opened++; // RACE!
}

static void close_valve(void) {
    WITH(held, &pump_lock);
    opened--; // RACE!
}

static void *run(void *argument) {
    pumped(2);
    open_valve();
    close_valve();
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
