#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buf {
    pthread_mutex_t mtx;
    char *mem;
    size_t cap, len;
};

static struct buf out = { .mtx = PTHREAD_MUTEX_INITIALIZER };

static int buf_append(struct buf *b, const char *s, size_t n)
{
    char *bigger = NULL;
    size_t want;

again:
    pthread_mutex_lock(&b->mtx); /* DOUBLE-LOCK */
    if (b->len + n > b->cap) {
        want = (b->len + n) * 2;
        if (!bigger) {
            bigger = malloc(want);
            if (!bigger)
                goto fail;
            goto again;
        }
        memcpy(bigger, b->mem ? b->mem : "", b->len);
        free(b->mem);
        b->mem = bigger;
        b->cap = want;
    }
    memcpy(b->mem + b->len, s, n);
    b->len += n;
    pthread_mutex_unlock(&b->mtx);
    return 0;
fail:
    pthread_mutex_unlock(&b->mtx);
    return -1;
}

static void *writer(void *arg)
{
    for (int i = 0; i < 20; i++)
        buf_append(&out, arg, strlen(arg));
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, writer, "tic");
    pthread_create(&b, NULL, writer, "tac");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%zu\n", out.len);
    return 0;
}
