#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct request { int id; int len; char body[64]; };

struct conn {
    pthread_mutex_t lock;
    int sent;
    int broken;
};

/* Answers and lets the connection go. */
static int reply_and_unlock(struct conn *c, int id, const char *text)
{
    if (c->broken) {
        return -1;
    }
    c->sent += (int)strlen(text) + id;
    pthread_mutex_unlock(&c->lock);
    return 0;
}

static int handle(struct conn *c, struct request *r)
{
    pthread_mutex_lock(&c->lock); /* LEAK */
    if (r->len > 32)
        return reply_and_unlock(c, r->id, "too long");
    if (r->len == 0)
        return reply_and_unlock(c, r->id, "empty");
    return reply_and_unlock(c, r->id, r->body);
}

static void conn_break(struct conn *c)
{
    pthread_mutex_lock(&c->lock);
    c->broken = 1;
    pthread_mutex_unlock(&c->lock);
}

static struct conn conn = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };

static void *serve(void *arg)
{
    struct request r = { 1, 5, "hello" };

    for (int i = 0; i < 40; i++) {
        r.len = i;
        handle(&conn, &r);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, serve, NULL);
    pthread_create(&b, NULL, serve, NULL);
    conn_break(&conn);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
