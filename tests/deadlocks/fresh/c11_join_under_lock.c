#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <threads.h>

typedef struct {
    thrd_t thr;
    mtx_t lock;
    atomic_bool cancel;
    long progress;
} download_t;

static int download_run(void *p)
{
    download_t *d = p;

    while (!atomic_load(&d->cancel)) {
        mtx_lock(&d->lock);
        d->progress += 512;
        mtx_unlock(&d->lock);
        thrd_yield();
    }
    return 0;
}

static long download_cancel(download_t *d)
{
    long got;
    int rc = 0;

    atomic_store(&d->cancel, true);
    mtx_lock(&d->lock);
    thrd_join(d->thr, &rc); /* DEADLOCK */
    got = rc == 0 ? d->progress : -1;
    mtx_unlock(&d->lock);
    return got;
}

int main(void)
{
    static download_t d;

    mtx_init(&d.lock, mtx_plain);
    if (thrd_create(&d.thr, download_run, &d) != thrd_success)
        return 1;
    printf("%ld\n", download_cancel(&d));
    mtx_destroy(&d.lock);
    return 0;
}
