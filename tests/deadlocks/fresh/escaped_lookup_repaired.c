#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct route { struct route *next; int dst, metric; };

static pthread_mutex_t rt_lock = PTHREAD_MUTEX_INITIALIZER;
static struct route *routes;

static int route_metric(int dst)
{
    struct route *r;
    int m = -1;

    pthread_mutex_lock(&rt_lock);
    for (r = routes; r; r = r->next)
        if (r->dst == dst)
            break;
    if (r)
        m = r->metric; /* NOESCAPED */
    pthread_mutex_unlock(&rt_lock);
    return m;
}

static void route_add(int dst, int metric)
{
    struct route *r = malloc(sizeof *r);

    r->dst = dst;
    r->metric = metric;
    pthread_mutex_lock(&rt_lock);
    r->next = routes;
    routes = r;
    pthread_mutex_unlock(&rt_lock);
}

static void route_del(int dst)
{
    pthread_mutex_lock(&rt_lock);
    for (struct route **p = &routes; *p; p = &(*p)->next)
        if ((*p)->dst == dst) {
            struct route *dead = *p;
            *p = dead->next;
            free(dead);
            break;
        }
    pthread_mutex_unlock(&rt_lock);
}

static void *flapper(void *arg)
{
    for (int i = 0; i < 200; i++) {
        route_add(7, i);
        route_del(7);
    }
    return arg;
}

static void *looker(void *arg)
{
    for (int i = 0; i < 200; i++)
        route_metric(7);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, flapper, NULL);
    pthread_create(&b, NULL, looker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
