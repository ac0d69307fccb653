#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct object;
struct type {
    const char *name;
    void (*release)(struct object *);
};
struct object {
    const struct type *type;
    int refs;
    pthread_mutex_t lock;
    struct object *next;
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *list;

static void image_release(struct object *o)
{
    pthread_mutex_lock(&list_lock); /* DEADLOCK */
    for (struct object **p = &list; *p; p = &(*p)->next)
        if (*p == o) {
            *p = o->next;
            break;
        }
    pthread_mutex_unlock(&list_lock);
}

static const struct type image_type = { "image", image_release };

static void object_put(struct object *o)
{
    pthread_mutex_lock(&o->lock);
    if (--o->refs == 0)
        o->type->release(o);
    pthread_mutex_unlock(&o->lock);
}

static struct object *object_find(int refs)
{
    struct object *o;

    pthread_mutex_lock(&list_lock);
    for (o = list; o; o = o->next) {
        pthread_mutex_lock(&o->lock); /* DEADLOCK */
        if (o->refs >= refs) {
            o->refs++;
            pthread_mutex_unlock(&o->lock);
            break;
        }
        pthread_mutex_unlock(&o->lock);
    }
    pthread_mutex_unlock(&list_lock);
    return o;
}

static struct object *image_new(void)
{
    struct object *o = malloc(sizeof *o);

    o->type = &image_type;
    o->refs = 1;
    pthread_mutex_init(&o->lock, NULL);
    pthread_mutex_lock(&list_lock);
    o->next = list;
    list = o;
    pthread_mutex_unlock(&list_lock);
    return o;
}

static void *user(void *arg)
{
    (void)arg;
    for (int i = 0; i < 50; i++) {
        struct object *o = object_find(1);
        if (o)
            object_put(o);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    struct object *o = image_new();

    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    object_put(o);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
