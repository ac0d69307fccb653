#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Objects in C: a class pointer first, the lock in the base. */
typedef struct Object Object;
typedef struct Class {
    size_t size;
    void (*notify)(Object *self, Object *from);
    void (*update)(Object *self);
} Class;

struct Object {
    const Class *isa;
    pthread_mutex_t monitor;
    Object *partner;
    int value;
};

#define SYNCHRONIZED_BEGIN(o) pthread_mutex_lock(&(o)->monitor)
#define SYNCHRONIZED_END(o) pthread_mutex_unlock(&(o)->monitor)

static void model_notify(Object *self, Object *from)
{
    SYNCHRONIZED_BEGIN(self);
    self->value = from->value;
    SYNCHRONIZED_END(self);
}

static void model_update(Object *self)
{
    SYNCHRONIZED_BEGIN(self);
    self->value++;
    SYNCHRONIZED_END(self);
    if (self->partner)
        self->partner->isa->notify(self->partner, self);
}

static const Class ModelClass = { sizeof(Object), model_notify, model_update };

static Object *object_create(const Class *cls)
{
    Object *o = calloc(1, cls->size);

    o->isa = cls;
    pthread_mutex_init(&o->monitor, NULL);
    return o;
}

static void *run(void *arg)
{
    Object *o = arg;

    for (int i = 0; i < 100; i++)
        o->isa->update(o);
    return NULL;
}

int main(void)
{
    Object *a = object_create(&ModelClass), *b = object_create(&ModelClass);
    pthread_t ta, tb;

    a->partner = b;
    b->partner = a;
    pthread_create(&ta, NULL, run, a);
    pthread_create(&tb, NULL, run, b);
    pthread_join(ta, NULL);
    pthread_join(tb, NULL);
    printf("%d %d\n", a->value, b->value);
    return 0;
}
