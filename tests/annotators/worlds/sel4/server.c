/* A server on it, with the locks of libsel4sync. */
#include <sel4/sel4.h>
#include <sync/mutex.h>
#include <sync/bin_sem.h>
#include <sync/condition_var.h>
#include <sel4utils/thread.h>

struct server {
    sync_mutex_t lock;
    sync_bin_sem_t guard;
    sync_cv_t filled;
    seL4_CPtr ready;
    int clients, queue, sessions;
};
static sync_mutex_t names_lock, sessions_lock;
static sync_recursive_mutex_t log_lock;
static sync_bin_sem_t guard_lock;
static sync_cv_t filled;
static seL4_CPtr ready;
static int names, sessions, lines, queue, requests, lost;

void server_open(void)
{
    sync_mutex_lock(&names_lock);
    sync_mutex_lock(&sessions_lock); /* DEADLOCK@orders */
    sessions++;
    sync_mutex_unlock(&sessions_lock);
    sync_mutex_unlock(&names_lock);
}

void server_close(void)
{
    sync_mutex_lock(&sessions_lock);
    sync_mutex_lock(&names_lock); /* DEADLOCK@orders */
    sessions--;
    sync_mutex_unlock(&names_lock);
    sync_mutex_unlock(&sessions_lock);
}

void server_log(void)
{
    sync_recursive_mutex_lock(&log_lock);
    sync_recursive_mutex_lock(&log_lock); /* NODOUBLE-LOCK */
    lines++; /* NORACE */
    sync_recursive_mutex_unlock(&log_lock);
    sync_recursive_mutex_unlock(&log_lock);
}

int server_lines(int most)
{
    sync_recursive_mutex_lock(&log_lock);
    if (lines > most) {
        return -1; /* LEAK */
    }
    most = lines;
    lines = 0; /* NORACE */
    sync_recursive_mutex_unlock(&log_lock);
    return most;
}

/* A wait that lets go of its semaphore. */
void server_take(void)
{
    sync_bin_sem_wait(&guard_lock);
    while (!queue) {
        sync_cv_wait(&guard_lock, &filled);
    }
    queue--; /* NORACE */
    sync_bin_sem_post(&guard_lock);
}

void server_put(void)
{
    sync_bin_sem_wait(&guard_lock);
    queue++; /* NORACE */
    sync_cv_signal(&filled);
    sync_bin_sem_post(&guard_lock);
}

/* Two threads; a notification is no lock. */
static void handle(void *ipc, void *data, void *buffer)
{
    for (;;) {
        seL4_Wait(ready, 0);
        sync_mutex_lock(&names_lock);
        names++; /* NORACE */
        requests++;
        sync_mutex_unlock(&names_lock);
    }
}

static void count(void *ipc, void *data, void *buffer)
{
    for (;;) {
        seL4_Signal(ready);
        sync_mutex_lock(&names_lock);
        names--; /* NORACE */
        sync_mutex_unlock(&names_lock);
        requests = 0; /* RACE */
    }
}

void server_start(sel4utils_thread_t *a, sel4utils_thread_t *b)
{
    sync_mutex_init(&names_lock, ready);
    sel4utils_start_thread(a, handle, 0, 0, 1);
    sel4utils_start_thread(b, count, 0, 0, 1);
}
