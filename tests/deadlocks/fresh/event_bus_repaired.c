#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef void (*listener_fn)(void *self, int ev);

typedef struct Bus {
    pthread_mutex_t mu;
    struct { listener_fn fn; void *self; } ls[8];
    int n;
    int posted;
} Bus;

typedef struct View {
    pthread_mutex_t mu;
    Bus *bus;
    int  last;
    int  redraws;
} View;

static void bus_subscribe(Bus *b, listener_fn fn, void *self)
{
    pthread_mutex_lock(&b->mu);
    b->ls[b->n].fn = fn;
    b->ls[b->n++].self = self;
    pthread_mutex_unlock(&b->mu);
}

static void bus_publish(Bus *b, int ev)
{
    __typeof__(b->ls[0]) copy[8];
    int n;

    pthread_mutex_lock(&b->mu);
    b->posted++;
    n = b->n;
    memcpy(copy, b->ls, sizeof copy);
    pthread_mutex_unlock(&b->mu);
    for (int i = 0; i < n; i++)
        copy[i].fn(copy[i].self, ev);
}

static void bus_count(Bus *b, int *out)
{
    pthread_mutex_lock(&b->mu);
    *out = b->posted;
    pthread_mutex_unlock(&b->mu);
}

static void view_on_event(void *self, int ev)
{
    View *v = self;
    pthread_mutex_lock(&v->mu);
    v->last = ev;
    pthread_mutex_unlock(&v->mu);
}

static void view_redraw(View *v)
{
    int posted;
    pthread_mutex_lock(&v->mu);
    bus_count(v->bus, &posted);
    v->redraws += posted > v->last;
    pthread_mutex_unlock(&v->mu);
}

static Bus  bus  = { .mu = PTHREAD_MUTEX_INITIALIZER };
static View view = { .mu = PTHREAD_MUTEX_INITIALIZER, .bus = &bus };

static void *input_thread(void *a)
{
    for (int ev = 0; ev < 20; ev++) {
        bus_publish(&bus, ev);
        usleep(400);
    }
    return a;
}

static void *paint_thread(void *a)
{
    for (int i = 0; i < 12; i++) {
        usleep(700);
        view_redraw(&view);
    }
    return a;
}

int main(void)
{
    alarm(5);
    pthread_t in, paint;
    bus_subscribe(&bus, view_on_event, &view);
    pthread_create(&in, NULL, input_thread, NULL);
    pthread_create(&paint, NULL, paint_thread, NULL);
    pthread_join(in, NULL);
    pthread_join(paint, NULL);
    printf("redraws %d\n", view.redraws);
    return 0;
}
