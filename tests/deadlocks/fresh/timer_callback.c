#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* A user-space timer wheel. */
typedef struct timer {
    struct timer *next;
    int ticks;
    void (*expire)(void *);
    void *data;
} timer_t_;

static pthread_mutex_t wheel_lock = PTHREAD_MUTEX_INITIALIZER;
static timer_t_ *wheel;
static volatile bool stop;

static void timer_add(timer_t_ *t, int ticks)
{
    pthread_mutex_lock(&wheel_lock); /* DEADLOCK */
    t->ticks = ticks;
    t->next = wheel;
    wheel = t;
    pthread_mutex_unlock(&wheel_lock);
}

static void *wheel_thread(void *arg)
{
    while (!stop) {
        usleep(100);
        pthread_mutex_lock(&wheel_lock);
        timer_t_ **pp = &wheel;
        while (*pp) {
            timer_t_ *t = *pp;
            if (--t->ticks > 0) {
                pp = &t->next;
                continue;
            }
            *pp = t->next;
            t->expire(t->data);
        }
        pthread_mutex_unlock(&wheel_lock);
    }
    return arg;
}

struct peer {
    pthread_mutex_t lock;
    timer_t_ keepalive;
    int missed;
};

static void keepalive_expired(void *data)
{
    struct peer *p = data;

    pthread_mutex_lock(&p->lock); /* DEADLOCK */
    p->missed++;
    pthread_mutex_unlock(&p->lock);
}

static void peer_heard(struct peer *p)
{
    pthread_mutex_lock(&p->lock);
    if (p->missed) {
        p->missed = 0;
        timer_add(&p->keepalive, 3);
    }
    pthread_mutex_unlock(&p->lock);
}

int main(void)
{
    pthread_t w;
    static struct peer peer = { .lock = PTHREAD_MUTEX_INITIALIZER };

    peer.keepalive.expire = keepalive_expired;
    peer.keepalive.data = &peer;
    timer_add(&peer.keepalive, 1);
    pthread_create(&w, NULL, wheel_thread, NULL);
    for (int i = 0; i < 200; i++) {
        peer_heard(&peer);
        usleep(100);
    }
    stop = true;
    pthread_join(w, NULL);
    return 0;
}
