#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Monitor {
    pthread_mutex_t lock;
    pthread_t       thread;
    bool            started, stop;
    unsigned        polls;
} Monitor;

static Monitor *Monitor_New(void)
{
    Monitor *m = calloc(1, sizeof *m);
    pthread_mutex_init(&m->lock, NULL);
    return m;
}

static bool Monitor_Poll(Monitor *m)
{
    bool go;
    pthread_mutex_lock(&m->lock);
    m->polls++;
    go = !m->stop;
    pthread_mutex_unlock(&m->lock);
    return go;
}

static void *Monitor_Main(void *arg)
{
    while (Monitor_Poll(arg))
        usleep(500);
    return NULL;
}

static int Monitor_Start(Monitor *m)
{
    int rc = 0;
    pthread_mutex_lock(&m->lock);
    if (!m->started) {
        rc = pthread_create(&m->thread, NULL, Monitor_Main, m);
        m->started = rc == 0;
    }
    pthread_mutex_unlock(&m->lock);
    return rc;
}

static void Monitor_Stop(Monitor *m)
{
    pthread_mutex_lock(&m->lock);
    if (m->started) {
        m->stop = true;
        m->started = false;
        pthread_t th = m->thread;
        pthread_mutex_unlock(&m->lock);
        pthread_join(th, NULL);
        return;
    }
    pthread_mutex_unlock(&m->lock);
}

int main(void)
{
    alarm(3);
    Monitor *m = Monitor_New();
    if (Monitor_Start(m))
        return 1;
    usleep(3000);
    Monitor_Stop(m);
    printf("%u polls\n", m->polls);
    pthread_mutex_destroy(&m->lock);
    free(m);
    return 0;
}
