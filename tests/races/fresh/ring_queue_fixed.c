#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define RING_CAP 32

typedef struct {
    int             items[RING_CAP];
    size_t          head, len;
    bool            closed;
    pthread_mutex_t mu;
    pthread_cond_t  not_empty;
    pthread_cond_t  not_full;
} ring_t;

static void ring_init(ring_t *r) {
    r->head = r->len = 0;
    r->closed = false;
    pthread_mutex_init(&r->mu, NULL);
    pthread_cond_init(&r->not_empty, NULL);
    pthread_cond_init(&r->not_full, NULL);
}

static void ring_push(ring_t *r, int v) {
    pthread_mutex_lock(&r->mu);
    while (r->len == RING_CAP)
        pthread_cond_wait(&r->not_full, &r->mu);
    r->items[(r->head + r->len) % RING_CAP] = v;
    r->len++;
    pthread_cond_signal(&r->not_empty);
    pthread_mutex_unlock(&r->mu);
}

static bool ring_pop(ring_t *r, int *out) {
    pthread_mutex_lock(&r->mu);
    while (r->len == 0 && !r->closed)
        pthread_cond_wait(&r->not_empty, &r->mu);
    if (r->len == 0) { // NORACE
        pthread_mutex_unlock(&r->mu);
        return false;
    }
    *out = r->items[r->head];
    r->head = (r->head + 1) % RING_CAP;
    r->len--;
    pthread_cond_signal(&r->not_full);
    pthread_mutex_unlock(&r->mu);
    return true;
}

static void ring_close(ring_t *r) {
    pthread_mutex_lock(&r->mu);
    r->closed = true;
    pthread_cond_broadcast(&r->not_empty);
    pthread_mutex_unlock(&r->mu);
}

static void *consumer(void *p) {
    ring_t *r = p;
    long sum = 0;
    int v;
    while (ring_pop(r, &v))
        sum += v;
    printf("sum %ld\n", sum);
    return NULL;
}

int main(void) {
    ring_t ring;
    pthread_t c[2];
    ring_init(&ring);
    for (int i = 0; i < 2; i++)
        pthread_create(&c[i], NULL, consumer, &ring);
    for (int i = 0; i < 500; i++)
        ring_push(&ring, i);
    ring_close(&ring);
    for (int i = 0; i < 2; i++)
        pthread_join(c[i], NULL);
    return 0;
}
