// A program's own kind of mutex: two of them are two locks, and whoever takes the wrong one is caught.
#include <pthread.h>

struct latch { pthread_mutex_t m; const char *name; };
static void latch_take(struct latch *latch) { pthread_mutex_lock(&latch->m); }
static void latch_give(struct latch *latch) { pthread_mutex_unlock(&latch->m); }
static int latch_try(struct latch *latch) { return pthread_mutex_trylock(&latch->m) == 0; }

struct depot { struct latch in, out; long arrived, left; };
static struct depot depot = {{PTHREAD_MUTEX_INITIALIZER, "in"}, {PTHREAD_MUTEX_INITIALIZER, "out"}, 0, 0};

static void *carrier(void *arg) {
    struct depot *one = arg;
    for (int i = 0; i < 1000; i++) {
        latch_take(&one->in);
        one->arrived++; // RACE@a
        latch_give(&one->in);
        if (latch_try(&one->out)) {
            one->left++; // NORACE
            latch_give(&one->out);
        }
    }
    return 0;
}

static void *clerk(void *arg) {
    struct depot *one = arg;
    latch_take(&one->out);
    one->arrived = 0; // RACE@a
    one->left = 0;    // NORACE
    latch_give(&one->out);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, carrier, &depot);
    pthread_create(&b, 0, clerk, &depot);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
