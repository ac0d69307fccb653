/* One file of a driver without its headers: what nobody declares is a global. */
#include "tuner.h"

int tuner_open(int channel) {
    mutex_lock(&bus_mutex);
    mutex_lock(&tuner_state.lock); /* DEADLOCK@a */
    tuner_state.channel = channel;
    mutex_unlock(&tuner_state.lock);
    mutex_unlock(&bus_mutex);
    return 0;
}
int tuner_close(void) {
    mutex_lock(&tuner_state.lock);
    mutex_lock(&bus_mutex); /* DEADLOCK@a */
    tuner_state.channel = 0;
    mutex_unlock(&bus_mutex);
    mutex_unlock(&tuner_state.lock);
    return 0;
}
int tuner_leave(int now) {
    mutex_lock(&bus_mutex);
    if (now)
        return -1; /* LEAK */
    mutex_unlock(&bus_mutex);
    return 0;
}
/* A macro may declare it: two locals of one name are no lock of both. */
int tuner_scan(void) {
    TUNER_DECLARE_LOCK(once);
    mutex_lock(&once);
    mutex_lock(&scan_mutex); /* NODEADLOCK */
    mutex_unlock(&scan_mutex);
    mutex_unlock(&once);
    return 0;
}
int tuner_rescan(void) {
    TUNER_DECLARE_LOCK(once);
    mutex_lock(&scan_mutex);
    mutex_lock(&once); /* NODEADLOCK */
    mutex_unlock(&once);
    mutex_unlock(&scan_mutex);
    return 0;
}
