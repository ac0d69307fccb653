/* One function of each sort, so that every room has something to say of it. */
#include <pthread.h>
#include <stdlib.h>

struct pump {
    pthread_mutex_t lock;
    int rate, strokes;
};
static struct pump main_pump = {.lock = PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void note(void) {
    pthread_mutex_lock(&log_lock);
    lines++;
    pthread_mutex_unlock(&log_lock);
}

static int pump_set(struct pump *pump, int rate) {
    pthread_mutex_lock(&pump->lock);
    if (rate < 0) {
        pthread_mutex_unlock(&pump->lock);
        return -1;
    }
    pump->rate = rate;
    note();
    pthread_mutex_unlock(&pump->lock);
    pump->strokes++;
    return 0;
}

static void *run(void *arg) {
    while (pump_set(arg, rand()) == 0)
        continue;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, run, &main_pump);
    pthread_create(&b, NULL, run, &main_pump);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return main_pump.strokes;
}
