#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef void (*listener_fn)(const char *event, void *user);

struct emitter {
    pthread_mutex_t mu;
    struct {
        listener_fn fn;
        void *user;
    } listeners[8];
    int n;
};

static void emitter_on(struct emitter *e, listener_fn fn, void *user)
{
    pthread_mutex_lock(&e->mu); /* DEADLOCK */
    if (e->n < 8) {
        e->listeners[e->n].fn = fn;
        e->listeners[e->n].user = user;
        e->n++;
    }
    pthread_mutex_unlock(&e->mu);
}

static void emitter_emit(struct emitter *e, const char *event)
{
    pthread_mutex_lock(&e->mu);
    for (int i = 0; i < e->n; i++)
        e->listeners[i].fn(event, e->listeners[i].user);
    pthread_mutex_unlock(&e->mu);
}

struct app {
    pthread_mutex_t state_mu;
    int events_seen;
    int ready;
};

static struct emitter bus = { .mu = PTHREAD_MUTEX_INITIALIZER };
static struct app app = { .state_mu = PTHREAD_MUTEX_INITIALIZER };

static void on_any_event(const char *event, void *user)
{
    struct app *a = user;

    pthread_mutex_lock(&a->state_mu); /* DEADLOCK */
    a->events_seen += event[0] != 0;
    pthread_mutex_unlock(&a->state_mu);
}

static void app_subscribe(struct app *a)
{
    pthread_mutex_lock(&a->state_mu);
    if (!a->ready) {
        emitter_on(&bus, on_any_event, a);
        a->ready = 1;
    }
    pthread_mutex_unlock(&a->state_mu);
}

static void *ticker(void *arg)
{
    for (int i = 0; i < 100; i++)
        emitter_emit(arg, "tick");
    return NULL;
}

int main(void)
{
    pthread_t t;

    emitter_on(&bus, on_any_event, &app);
    pthread_create(&t, NULL, ticker, &bus);
    app_subscribe(&app);
    pthread_join(t, NULL);
    printf("%d\n", app.events_seen);
    return 0;
}
