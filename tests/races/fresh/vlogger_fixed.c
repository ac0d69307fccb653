#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum level { DBG, INF, WRN };
static const char *const names[] = { "dbg", "inf", "wrn" };

static struct {
    pthread_mutex_t mu;
    char            line[256];
    enum level      min;
    FILE           *out;
    unsigned long   emitted;
} lg = { .mu = PTHREAD_MUTEX_INITIALIZER, .min = INF };

static void lg_emit(enum level l, const char *txt)
{
    fprintf(lg.out, "[%s] %s\n", names[l], txt);
    lg.emitted++;
}

static void lg_printf(enum level l, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void lg_printf(enum level l, const char *fmt, ...)
{
    va_list ap;

    if (l < lg.min)
        return;
    va_start(ap, fmt);
    pthread_mutex_lock(&lg.mu);
    vsnprintf(lg.line, sizeof lg.line, fmt, ap); // NORACE
    lg_emit(l, lg.line);
    pthread_mutex_unlock(&lg.mu);
    va_end(ap);
}

static void *task(void *a)
{
    const char *who = a;
    for (int i = 0; i < 60; i++) {
        lg_printf(DBG, "%s tick", who);
        if (i % 3 == 0)
            lg_printf(INF, "%s progress %d", who, i);
        if (i % 20 == 0)
            lg_printf(WRN, "%s: slow step %d", who, i);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    lg.out = stdout;
    pthread_create(&a, NULL, task, "indexer");
    pthread_create(&b, NULL, task, "crawler");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%lu lines\n", lg.emitted);
    return 0;
}
