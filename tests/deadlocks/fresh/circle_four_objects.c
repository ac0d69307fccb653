#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* client -> session -> channel -> buffer, and the buffer's low-water mark wakes the client */
struct client { pthread_mutex_t mx; int wakeups; };
struct buffer { pthread_mutex_t mx; int fill; struct client *owner; };
struct channel { pthread_mutex_t mx; struct buffer *buf; int open; };
struct session { pthread_mutex_t mx; struct channel *chan; int seq; };

static struct client *cl;
static struct session *se;
static struct channel *ch;
static struct buffer *bu;

static void client_wake(struct client *c)
{
    pthread_mutex_lock(&c->mx); /* DEADLOCK@q */
    c->wakeups++;
    pthread_mutex_unlock(&c->mx);
}

static void buffer_put(struct buffer *b, int n)
{
    pthread_mutex_lock(&b->mx); /* DEADLOCK@q */
    b->fill += n;
    pthread_mutex_unlock(&b->mx);
}

static void buffer_drain(struct buffer *b)
{
    pthread_mutex_lock(&b->mx);
    b->fill /= 2;
    if (b->fill < 4)
        client_wake(b->owner);
    pthread_mutex_unlock(&b->mx);
}

static void channel_write(struct channel *c, int n)
{
    pthread_mutex_lock(&c->mx);
    if (c->open)
        buffer_put(c->buf, n);
    pthread_mutex_unlock(&c->mx);
}

static void session_renew(struct session *s)
{
    pthread_mutex_lock(&s->mx);
    s->seq++;
    pthread_mutex_lock(&s->chan->mx); /* DEADLOCK@q */
    s->chan->open = 1;
    pthread_mutex_unlock(&s->chan->mx);
    pthread_mutex_unlock(&s->mx);
}

static void client_next(struct client *c, struct session *s)
{
    pthread_mutex_lock(&c->mx);
    pthread_mutex_lock(&s->mx); /* DEADLOCK@q */
    s->seq += c->wakeups;
    pthread_mutex_unlock(&s->mx);
    pthread_mutex_unlock(&c->mx);
}

static void *t1(void *a) { for (int i = 0; i < 30; i++) client_next(cl, se); return a; }
static void *t2(void *a) { for (int i = 0; i < 30; i++) session_renew(se); return a; }
static void *t3(void *a) { for (int i = 0; i < 30; i++) channel_write(ch, i); return a; }
static void *t4(void *a) { for (int i = 0; i < 30; i++) buffer_drain(bu); return a; }

int main(void)
{
    pthread_t t[4];
    void *(*run[4])(void *) = { t1, t2, t3, t4 };

    cl = calloc(1, sizeof *cl);
    se = calloc(1, sizeof *se);
    ch = calloc(1, sizeof *ch);
    bu = calloc(1, sizeof *bu);
    pthread_mutex_init(&cl->mx, NULL);
    pthread_mutex_init(&se->mx, NULL);
    pthread_mutex_init(&ch->mx, NULL);
    pthread_mutex_init(&bu->mx, NULL);
    bu->owner = cl;
    ch->buf = bu;
    ch->open = 1;
    se->chan = ch;
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, run[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
