#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct service {
    pthread_t thread;
    pthread_mutex_t state_lock;
    pthread_cond_t wake;
    bool quit;
    bool started;
    unsigned jobs;
};

static bool service_take_job(struct service *s)
{
    bool more;

    pthread_mutex_lock(&s->state_lock);
    while (!s->jobs && !s->quit)
        pthread_cond_wait(&s->wake, &s->state_lock);
    more = !s->quit;
    if (s->jobs)
        s->jobs--;
    pthread_mutex_unlock(&s->state_lock);
    return more;
}

static void *service_main(void *arg)
{
    struct service *s = arg;

    while (service_take_job(s))
        ;
    return NULL;
}

static void service_halt(struct service *s)
{
    s->quit = true;
    pthread_cond_signal(&s->wake);
    pthread_join(s->thread, NULL); /* DEADLOCK */
    s->started = false;
}

static int service_start(struct service *s)
{
    s->quit = false;
    if (pthread_create(&s->thread, NULL, service_main, s))
        return -1;
    s->started = true;
    return 0;
}

static void service_stop(struct service *s)
{
    pthread_mutex_lock(&s->state_lock);
    if (s->started)
        service_halt(s);
    pthread_mutex_unlock(&s->state_lock);
}

static void service_post(struct service *s)
{
    pthread_mutex_lock(&s->state_lock);
    s->jobs++;
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->state_lock);
}

int main(void)
{
    struct service *s = calloc(1, sizeof *s);

    pthread_mutex_init(&s->state_lock, NULL);
    pthread_cond_init(&s->wake, NULL);
    if (service_start(s))
        return 1;
    service_post(s);
    service_post(s);
    service_stop(s);
    free(s);
    return 0;
}
