#include <pthread.h>
#include <stdio.h>

enum state { ST_IDLE, ST_HELLO, ST_DATA, ST_MAX };

struct conn {
    pthread_mutex_t lock;
    enum state state;
    int bytes;
};

struct server {
    pthread_mutex_t lock;
    int total;
    struct conn conns[4];
};

static struct server srv;

static void on_idle(struct conn *c)
{
    c->state = ST_HELLO;
}

static void on_hello(struct conn *c)
{
    c->state = ST_DATA;
    c->bytes = 0;
}

static void on_data(struct conn *c)
{
    pthread_mutex_lock(&srv.lock);
    srv.total += c->bytes;
    pthread_mutex_unlock(&srv.lock);
    c->state = ST_IDLE;
}

static void (*const transitions[ST_MAX])(struct conn *) = {
    [ST_IDLE] = on_idle,
    [ST_HELLO] = on_hello,
    [ST_DATA] = on_data,
};

static void conn_step(struct conn *c)
{
    pthread_mutex_lock(&c->lock);
    transitions[c->state](c);
    pthread_mutex_unlock(&c->lock);
}

static void server_kick(struct server *s)
{
    for (int i = 0; i < 4; i++) {
        struct conn *c = &s->conns[i];
        pthread_mutex_lock(&c->lock);
        if (c->bytes > 1000)
            c->state = ST_IDLE;
        pthread_mutex_unlock(&c->lock);
    }
    pthread_mutex_lock(&s->lock);
    s->total = 0;
    pthread_mutex_unlock(&s->lock);
}

static void *io_thread(void *arg)
{
    for (int i = 0; i < 300; i++)
        conn_step(arg);
    return NULL;
}

int main(void)
{
    pthread_t t[4];

    pthread_mutex_init(&srv.lock, NULL);
    for (int i = 0; i < 4; i++) {
        pthread_mutex_init(&srv.conns[i].lock, NULL);
        pthread_create(&t[i], NULL, io_thread, &srv.conns[i]);
    }
    for (int i = 0; i < 50; i++)
        server_kick(&srv);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
