#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
    struct session *next;
    int fd;
    int closing;
    pthread_mutex_t mutex;
};

static struct {
    struct session *all;
    int count;
    pthread_mutex_t mutex;
} registry = { NULL, 0, PTHREAD_MUTEX_INITIALIZER };

typedef int (*session_cb)(struct session *s, void *arg);

static int registry_foreach(session_cb cb, void *arg)
{
    int n = 0;

    pthread_mutex_lock(&registry.mutex);
    for (struct session *s = registry.all; s; s = s->next)
        n += cb(s, arg);
    pthread_mutex_unlock(&registry.mutex);
    return n;
}

static void registry_remove(struct session *s)
{
    pthread_mutex_lock(&registry.mutex);
    for (struct session **p = &registry.all; *p; p = &(*p)->next)
        if (*p == s) {
            *p = s->next;
            registry.count--;
            break;
        }
    pthread_mutex_unlock(&registry.mutex);
}

static void registry_add(struct session *s)
{
    pthread_mutex_lock(&registry.mutex);
    s->next = registry.all;
    registry.all = s;
    registry.count++;
    pthread_mutex_unlock(&registry.mutex);
}

static int mark_idle(struct session *s, void *arg)
{
    int limit = *(int *)arg, hit = 0;

    pthread_mutex_lock(&s->mutex);
    if (s->fd > limit) {
        s->closing = 1;
        hit = 1;
    }
    pthread_mutex_unlock(&s->mutex);
    return hit;
}

static void session_close(struct session *s)
{
    pthread_mutex_lock(&s->mutex);
    s->closing = 1;
    pthread_mutex_unlock(&s->mutex);
    registry_remove(s);
}

static void *connection(void *arg)
{
    struct session *s = calloc(1, sizeof *s);

    (void)arg;
    pthread_mutex_init(&s->mutex, NULL);
    s->fd = 5;
    registry_add(s);
    session_close(s);
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    int limit = 3;

    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, connection, NULL);
    for (int i = 0; i < 20; i++)
        registry_foreach(mark_idle, &limit);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
