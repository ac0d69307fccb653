// Guards: a variable that took a lock when it was made, and lets it go where its scope ends, however that is left.
#include <pthread.h>

struct mutex {
    pthread_mutex_t m;
};
struct guard {
    struct mutex *held;
};

static void mutex_take(struct mutex *mutex) { pthread_mutex_lock(&mutex->m); }
static void mutex_give(struct mutex *mutex) { pthread_mutex_unlock(&mutex->m); }

static struct guard guard_make(struct mutex *mutex) {
    struct guard made = {mutex};
    mutex_take(mutex);
    return made;
}

static void guard_end(struct guard *guard) {
    if (!guard || !guard->held)
        return;
    mutex_give(guard->held);
    guard->held = NULL;
}

#define GUARD struct guard __attribute__((cleanup(guard_end)))
#define WITH_GUARD(mutex)                                                                                              \
    for (struct guard __attribute__((cleanup(guard_end))) with = guard_make(mutex); with.held;                         \
         with.held = (guard_end(&with), NULL))

struct desk {
    struct mutex lock;
    int letters;
};
struct box {
    struct mutex lock;
    int letters;
};

int fetch(struct desk *desk, struct box *box) {
    GUARD guard = guard_make(&desk->lock);
    if (desk->letters > 10)
        return -1;
    WITH_GUARD(&box->lock) { /* DEADLOCK@a */
        if (!box->letters)
            return 0;
        if (box->letters < 0)
            break;
        box->letters--;
    }
    desk->letters++;
    return 1;
}

int post(struct desk *desk, struct box *box) {
    GUARD outer = guard_make(&box->lock);
    if (box->letters > 10)
        return -1;
    GUARD inner = guard_make(&desk->lock); /* DEADLOCK@a */
    desk->letters--;
    box->letters++;
    return 1;
}

int count(struct desk *desk, struct box *box) {
    int letters = 0;
    WITH_GUARD(&box->lock) letters += box->letters;
    WITH_GUARD(&desk->lock) letters += desk->letters;
    return letters;
}
