#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>

/* Pipeline: decode -> scale. A frame belongs to whoever took it from a queue. */
enum { QCAP = 4, FRAMES = 100 };

typedef struct Frame {
    int  seq;
    int  stage;
    int  w, h;
} Frame;

typedef struct Chan {
    pthread_mutex_t mu;
    pthread_cond_t  nonempty, nonfull;
    Frame          *ring[QCAP];
    unsigned        rd, wr;
} Chan;

static Chan decoded = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
    PTHREAD_COND_INITIALIZER, { 0 }, 0, 0
};

static void Chan_Push(Chan *c, Frame *f)
{
    pthread_mutex_lock(&c->mu);
    while (c->wr - c->rd == QCAP)
        pthread_cond_wait(&c->nonfull, &c->mu);
    c->ring[c->wr++ % QCAP] = f;
    pthread_cond_signal(&c->nonempty);
    pthread_mutex_unlock(&c->mu);
}

static Frame *Chan_Pop(Chan *c)
{
    Frame *f;
    pthread_mutex_lock(&c->mu);
    while (c->wr == c->rd)
        pthread_cond_wait(&c->nonempty, &c->mu);
    f = c->ring[c->rd++ % QCAP];
    pthread_cond_signal(&c->nonfull);
    pthread_mutex_unlock(&c->mu);
    return f;
}

static void *Decoder(void *arg)
{
    for (int i = 0; i < FRAMES; i++) {
        Frame *f = calloc(1, sizeof *f);
        f->seq = i;
        f->w = 640;
        f->h = 480;
        f->stage = 1; // NORACE
        Chan_Push(&decoded, f);
    }
    Chan_Push(&decoded, NULL);
    return arg;
}

static void *Scaler(void *arg)
{
    long pixels = 0;
    Frame *f;
    while ((f = Chan_Pop(&decoded)) != NULL) {
        f->w /= 2;
        f->h /= 2;
        f->stage++;
        pixels += (long)f->w * f->h * f->stage;
        free(f);
    }
    printf("%ld\n", pixels);
    return arg;
}

int main(void)
{
    pthread_t d, s;
    pthread_create(&s, NULL, Scaler, NULL);
    pthread_create(&d, NULL, Decoder, NULL);
    pthread_join(d, NULL);
    pthread_join(s, NULL);
    return 0;
}
