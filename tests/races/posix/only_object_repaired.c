// only_object.c, with what is counted under the lock.
#include <pthread.h>
typedef void (*alarm_function)(void *context, int seconds);
struct valve {
    pthread_mutex_t guard;
    int opened, drops;
};
static struct {
    alarm_function run;
    void *context;
} alarms[4];
static unsigned alarm_count;
static struct valve valve = {.guard = PTHREAD_MUTEX_INITIALIZER};

static void alarm_add(alarm_function run, void *context) {
    alarms[alarm_count].run = run;
    alarms[alarm_count++].context = context;
}

static void valve_step(void *context, int seconds) {
    struct valve *self = context;
    pthread_mutex_lock(&self->guard);
    self->opened += seconds;
    self->drops++; /* NORACE */
    pthread_mutex_unlock(&self->guard);
}

static void *clock_run(void *unused) {
    for (int s = 0; s < 1000; s++)
        for (unsigned i = 0; i < alarm_count; i++)
            alarms[i].run(alarms[i].context, s);
    return unused;
}

static int valve_ask(void) {
    pthread_mutex_lock(&valve.guard);
    int sum = valve.opened + valve.drops;
    valve.opened = 0;
    pthread_mutex_unlock(&valve.guard);
    return sum;
}

int main(void) {
    pthread_t clock;
    int sum = 0;
    alarm_add(valve_step, &valve);
    pthread_create(&clock, 0, clock_run, 0);
    for (int i = 0; i < 1000; i++)
        sum += valve_ask();
    pthread_join(clock, 0);
    return sum == 1;
}
