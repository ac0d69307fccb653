#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>

/* print spooler */
typedef struct doc { struct doc *next; int pages; } doc;

static struct {
    pthread_mutex_t mu;
    pthread_cond_t  cv;
    doc            *queue;
    bool            closed;
    int             jam_at;
    int             printed;
} sp = { .mu = PTHREAD_MUTEX_INITIALIZER, .cv = PTHREAD_COND_INITIALIZER };

static void spool(int pages)
{
    doc *d = malloc(sizeof *d);
    d->pages = pages;
    pthread_mutex_lock(&sp.mu);
    d->next = sp.queue;
    sp.queue = d;
    pthread_cond_signal(&sp.cv);
    pthread_mutex_unlock(&sp.mu);
}

static void spool_close(void)
{
    pthread_mutex_lock(&sp.mu);
    sp.closed = true;
    pthread_cond_broadcast(&sp.cv);
    pthread_mutex_unlock(&sp.mu);
}

static void *printer(void *arg)
{
    pthread_mutex_lock(&sp.mu);
    for (;;) {
        while (!sp.queue && !sp.closed)
            pthread_cond_wait(&sp.cv, &sp.mu);
        if (!sp.queue)
            break;
        doc *d = sp.queue;
        sp.queue = d->next;
        sp.printed += d->pages;
        bool jam = sp.jam_at && sp.printed >= sp.jam_at;
        pthread_mutex_unlock(&sp.mu);
        free(d);
        if (jam) {
            fputs("paper jam\n", stderr);
            return NULL;
        }
        pthread_mutex_lock(&sp.mu);
    }
    pthread_mutex_unlock(&sp.mu);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t p;
    sp.jam_at = argc > 1 ? 10 : 0;
    pthread_create(&p, NULL, printer, NULL);
    for (int i = 1; i < 12; i++)
        spool(i);
    spool_close();
    pthread_join(p, NULL);
    pthread_mutex_lock(&sp.mu);
    printf("%d pages\n", sp.printed);
    pthread_mutex_unlock(&sp.mu);
    return 0;
}
