#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct vm {
    struct vm *next;
    int id;
    int running;
    pthread_mutex_t lock;
};

static pthread_mutex_t vms_lock = PTHREAD_MUTEX_INITIALIZER;
static struct vm *vms;

/* Returns the object locked: the caller lets it go with vm_unlock(). */
static struct vm *vm_lock_by_id(int id)
{
    struct vm *v;

    pthread_mutex_lock(&vms_lock);
    for (v = vms; v; v = v->next)
        if (v->id == id) {
            pthread_mutex_lock(&v->lock);
            break;
        }
    pthread_mutex_unlock(&vms_lock);
    return v;
}

static void vm_unlock(struct vm *v)
{
    pthread_mutex_unlock(&v->lock);
}

static int vm_start(int id)
{
    struct vm *v = vm_lock_by_id(id);

    if (!v)
        return -1;
    if (v->running) {
        return -2; /* LEAK */
    }
    v->running = 1;
    vm_unlock(v);
    return 0;
}

static int vm_stop(int id)
{
    struct vm *v = vm_lock_by_id(id);

    if (!v)
        return -1;
    v->running = 0;
    vm_unlock(v);
    return 0;
}

static void vm_define(int id)
{
    struct vm *v = calloc(1, sizeof *v);

    v->id = id;
    pthread_mutex_init(&v->lock, NULL);
    pthread_mutex_lock(&vms_lock);
    v->next = vms;
    vms = v;
    pthread_mutex_unlock(&vms_lock);
}

static void *operator(void *arg)
{
    for (int i = 0; i < 50; i++) {
        vm_start(i % 3);
        if (i % 4 == 0)
            vm_stop(i % 3);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    vm_define(0);
    vm_define(1);
    pthread_create(&a, NULL, operator, NULL);
    pthread_create(&b, NULL, operator, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
