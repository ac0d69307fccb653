/* Connection accounting for a tiny echo server. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define NWORKERS 3
#define NREQ     400

struct conn_stats {
    unsigned long accepted;
    unsigned long bytes_in;
    unsigned long bytes_out;
};

struct server {
    pthread_mutex_t   mtx;
    struct conn_stats st;
    int               running;
};

static struct server srv = { .mtx = PTHREAD_MUTEX_INITIALIZER, .running = 1 };

static void account(struct server *s, size_t in, size_t out)
{
    pthread_mutex_lock(&s->mtx);
    s->st.accepted++;
    s->st.bytes_in += in;
    s->st.bytes_out += out;
    pthread_mutex_unlock(&s->mtx);
}

static void *worker(void *arg)
{
    unsigned seed = (unsigned)(size_t)arg;
    for (int i = 0; i < NREQ; i++) {
        seed = seed * 1103515245u + 12345u;
        account(&srv, (seed >> 16) & 1023, (seed >> 8) & 511);
        if (i % 100 == 0)
            usleep(500);
    }
    return NULL;
}

static int still_running(struct server *s)
{
    pthread_mutex_lock(&s->mtx);
    int r = s->running;
    pthread_mutex_unlock(&s->mtx);
    return r;
}

static void *reporter(void *arg)
{
    struct server *s = arg;
    while (still_running(s)) {
        unsigned long in = s->st.bytes_in; // RACE!
        printf("in=%lu\n", in);
        usleep(300);
    }
    return NULL;
}

int main(void)
{
    pthread_t w[NWORKERS], rep;
    pthread_create(&rep, NULL, reporter, &srv);
    for (size_t i = 0; i < NWORKERS; i++)
        pthread_create(&w[i], NULL, worker, (void *)(i + 1));
    for (int i = 0; i < NWORKERS; i++)
        pthread_join(w[i], NULL);
    pthread_mutex_lock(&srv.mtx);
    srv.running = 0;
    pthread_mutex_unlock(&srv.mtx);
    pthread_join(rep, NULL);
    printf("accepted %lu\n", srv.st.accepted);
    return 0;
}
