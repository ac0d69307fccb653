#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>

/* The locks are hidden: only getters know where they are. */
struct widget_private {
    pthread_mutex_t guard;
    int shown;
};

typedef struct widget {
    void *priv;
    const char *title;
} widget_t;

static widget_t window, statusbar;

static pthread_mutex_t *widget_guard(widget_t *w)
{
    struct widget_private *p = w->priv;
    return &p->guard;
}

static int *widget_shown(widget_t *w)
{
    return &((struct widget_private *)w->priv)->shown;
}

static void widget_setup(widget_t *w, const char *title)
{
    struct widget_private *p = malloc(sizeof *p);

    pthread_mutex_init(&p->guard, NULL);
    p->shown = 0;
    w->priv = p;
    w->title = title;
}

static void *painter(void *unused)
{
    for (int i = 0; i < 50; i++) {
        pthread_mutex_lock(widget_guard(&window));
        pthread_mutex_lock(widget_guard(&statusbar)); /* DEADLOCK */
        *widget_shown(&window) = *widget_shown(&statusbar) = 1;
        pthread_mutex_unlock(widget_guard(&statusbar));
        pthread_mutex_unlock(widget_guard(&window));
    }
    return unused;
}

static void *hider(void *unused)
{
    for (int i = 0; i < 50; i++) {
        pthread_mutex_lock(widget_guard(&statusbar));
        *widget_shown(&statusbar) = 0;
        pthread_mutex_lock(widget_guard(&window)); /* DEADLOCK */
        *widget_shown(&window) = 0;
        pthread_mutex_unlock(widget_guard(&window));
        pthread_mutex_unlock(widget_guard(&statusbar));
    }
    return unused;
}

int main(void)
{
    pthread_t p, h;

    widget_setup(&window, "main");
    widget_setup(&statusbar, "status");
    if (pthread_create(&p, NULL, painter, NULL) || pthread_create(&h, NULL, hider, NULL))
        return 1;
    pthread_join(p, NULL);
    pthread_join(h, NULL);
    return 0;
}
