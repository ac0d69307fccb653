// GLib everywhere, and POSIX's mutex behind one macro: both lock tables are in force, however seldom the one is called.
#include <glib.h>
#include <pthread.h>

#define own_lock(m) { if (!quiet) g_print("lock %p\n", (void *)m); pthread_mutex_lock(m); }
#define own_unlock(m) { if (!quiet) g_print("unlock %p\n", (void *)m); pthread_mutex_unlock(m); }

static int quiet;
static pthread_mutex_t sessions = PTHREAD_MUTEX_INITIALIZER;
static GMutex names_lock, rooms_lock;
static GRecMutex inner;
static GRWLock table;
static gint running, told, ended;

int leaks(int number) {
    own_lock(&sessions);
    if (number < 0)
        return -1; // LEAK
    own_unlock(&sessions);
    return 0;
}

int does_not(int number) {
    own_lock(&sessions);
    if (number < 0) {
        own_unlock(&sessions);
        return -1; // NOLEAK
    }
    own_unlock(&sessions);
    return 0;
}

gboolean ticks(gpointer unused) {
    g_mutex_lock(&names_lock);
    g_atomic_int_set(&told, g_atomic_int_get(&running));
    g_mutex_unlock(&names_lock);
    g_mutex_lock(&rooms_lock);
    g_mutex_unlock(&rooms_lock);
    g_rec_mutex_lock(&inner);
    g_rec_mutex_unlock(&inner);
    g_rw_lock_reader_lock(&table);
    g_rw_lock_reader_unlock(&table);
    g_rw_lock_writer_lock(&table);
    g_rw_lock_writer_unlock(&table);
    return g_atomic_int_get(&ended) == 0;
}

void starts(GMainLoop *loop) {
    g_timeout_add(100, ticks, NULL);
    g_idle_add(ticks, NULL);
    g_main_loop_run(loop);
}
