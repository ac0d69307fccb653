/* A join that is asked for first, by a flag that is down though the thread may run. */
#include <pthread.h>
#include <stdlib.h>

struct pump {
    pthread_mutex_t lock;
    pthread_t worker;
    int running, stop;
    long pumped;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t lamp, bell;
static int lit, rings, told;
static long hours, strokes;

static void *pump_work(void *argument) {
    struct pump *pump = argument;
    for (;;) {
        pthread_mutex_lock(&pump->lock);
        pump->pumped++; /* RACE */
        int stop = pump->stop;
        pthread_mutex_unlock(&pump->lock);
        if (stop)
            return NULL;
    }
}

static int pump_start(struct pump *pump) {
    if (pthread_create(&pump->worker, NULL, pump_work, pump))
        return -1;
    pump->running = 1;
    return 0;
}

static void pump_forget(struct pump *pump) { pump->running = 0; }

static long pump_end(struct pump *pump) {
    pthread_mutex_lock(&pump->lock);
    pump->stop = 1;
    pthread_mutex_unlock(&pump->lock);
    pump_forget(pump);
    if (pump->running) {
        pthread_join(pump->worker, NULL);
        pump->running = 0;
    }
    return pump->pumped++; /* RACE */
}

static void *lamp_work(void *unused) {
    pthread_mutex_lock(&lock);
    hours++; /* RACE */
    pthread_mutex_unlock(&lock);
    return unused;
}

static void lamp_start(void) {
    if (pthread_create(&lamp, NULL, lamp_work, NULL))
        return;
    if (told)
        lit = 1;
}

static void lamp_end(void) {
    if (!lit)
        return;
    lit = 0;
    if (told)
        told--;
    pthread_join(lamp, NULL);
}

static void *bell_work(void *unused) {
    pthread_mutex_lock(&lock);
    strokes++; /* RACE */
    pthread_mutex_unlock(&lock);
    return unused;
}

static void bell_start(void) {
    if (rings) /* somebody wants it, and is asked again below */
        pthread_create(&bell, NULL, bell_work, NULL);
}

static void bell_silence(void) { rings = 0; }

static void bell_end(void) {
    if (rings)
        pthread_join(bell, NULL);
}

int main(int count, char **words) {
    struct pump *pump = calloc(1, sizeof *pump);
    pthread_mutex_init(&pump->lock, NULL);
    rings = words[0] != NULL;
    if (count > 1)
        pump_start(pump);
    if (count > 2)
        lamp_start();
    bell_start();
    bell_silence();
    pump_end(pump);
    lamp_end();
    bell_end();
    hours += 2;   /* RACE */
    strokes += 2; /* RACE */
    return 0;
}
