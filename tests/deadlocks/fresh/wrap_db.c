#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* --- checked mutexes --------------------------------------------- */
typedef struct { pthread_mutex_t m; const char *name; } xmutex;
#define XMUTEX(n) { PTHREAD_MUTEX_INITIALIZER, n }

static void xlock(xmutex *x)
{
    int e = pthread_mutex_lock(&x->m);
    if (e) { fprintf(stderr, "%s: lock %d\n", x->name, e); abort(); }
}

static void xunlock(xmutex *x)
{
    int e = pthread_mutex_unlock(&x->m);
    if (e) { fprintf(stderr, "%s: unlock %d\n", x->name, e); abort(); }
}

/* --- table and its index ------------------------------------------- */
static xmutex tbl_mx = XMUTEX("table");
static xmutex idx_mx = XMUTEX("index");
static int rows[256], nrows;
static int idx[256], nidx;

static void tbl_lock(void)   { xlock(&tbl_mx); }
static void tbl_unlock(void) { xunlock(&tbl_mx); }
static void idx_lock(void)   { xlock(&idx_mx); }
static void idx_unlock(void) { xunlock(&idx_mx); }

static int insert_row(int v)
{
    int rc = -ENOSPC;
    tbl_lock();
    if (nrows < 256) {
        rows[nrows] = v;
        idx_lock();
        idx[nidx++] = nrows;
        idx_unlock();
        rc = nrows++;
    }
    tbl_unlock();
    return rc;
}

static int cmp_row(const void *a, const void *b)
{
    int x = rows[*(const int *)a], y = rows[*(const int *)b];
    return (x > y) - (x < y);
}

static void reindex(void)
{
    idx_lock();
    tbl_lock(); // DEADLOCK!
    qsort(idx, (size_t)nidx, sizeof idx[0], cmp_row);
    tbl_unlock();
    idx_unlock();
}

static void *loader(void *arg)
{
    for (int i = 0; i < 50; i++) {
        insert_row((i * 37) % 101);
        usleep(100);
    }
    return arg;
}

int main(void)
{
    alarm(5);
    pthread_t t;
    pthread_create(&t, NULL, loader, NULL);
    for (int i = 0; i < 6; i++) {
        usleep(900);
        reindex();
    }
    pthread_join(t, NULL);
    reindex();
    printf("min %d\n", rows[idx[0]]);
    return 0;
}
