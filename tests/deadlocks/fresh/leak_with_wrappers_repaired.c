#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct db {
    pthread_mutex_t mutex;
    int readonly;
    char *rows[16];
    int n;
} db;

static void db_enter(db *d)
{
    int e = pthread_mutex_lock(&d->mutex);
    if (e) {
        fprintf(stderr, "lock: %s\n", strerror(e));
        abort();
    }
}

static void db_leave(db *d)
{
    if (pthread_mutex_unlock(&d->mutex))
        abort();
}

static int db_check_writable(db *d)
{
    return d->readonly ? -1 : 0;
}

static int db_insert(db *d, const char *row)
{
    db_enter(d);
    if (db_check_writable(d) < 0) {
        db_leave(d);
        fprintf(stderr, "read only\n");
        return -1;
    }
    if (d->n < 16)
        d->rows[d->n++] = strdup(row);
    db_leave(d);
    return 0;
}

static void db_set_readonly(db *d, int on)
{
    db_enter(d);
    d->readonly = on;
    db_leave(d);
}

static void *writer(void *arg)
{
    for (int i = 0; i < 10; i++)
        db_insert(arg, "row");
    return NULL;
}

int main(void)
{
    db d = { .readonly = 0 };
    pthread_t t;

    pthread_mutex_init(&d.mutex, NULL);
    pthread_create(&t, NULL, writer, &d);
    db_set_readonly(&d, 1);
    db_insert(&d, "x");
    pthread_join(t, NULL);
    return 0;
}
