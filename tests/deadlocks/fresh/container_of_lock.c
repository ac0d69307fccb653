#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

struct link { struct link *next; };

struct vnode {
    pthread_mutex_t interlock;
    struct link mount_link;
    struct mount *mp;
    int usecount;
};

struct mount {
    pthread_mutex_t mtx;
    struct link *vnodes;
    int active;
};

static void vnode_deactivate(struct link *l)
{
    struct vnode *vp = container_of(l, struct vnode, mount_link);

    pthread_mutex_lock(&vp->interlock); /* DEADLOCK */
    if (vp->usecount)
        vp->usecount--;
    pthread_mutex_unlock(&vp->interlock);
}

static void mount_flush(struct mount *mp)
{
    pthread_mutex_lock(&mp->mtx);
    for (struct link *l = mp->vnodes; l; l = l->next)
        vnode_deactivate(l);
    pthread_mutex_unlock(&mp->mtx);
}

static void vnode_ref(struct vnode *vp)
{
    struct mount *mp = vp->mp;

    pthread_mutex_lock(&vp->interlock);
    if (vp->usecount++ == 0) {
        pthread_mutex_lock(&mp->mtx); /* DEADLOCK */
        mp->active++;
        pthread_mutex_unlock(&mp->mtx);
    }
    pthread_mutex_unlock(&vp->interlock);
}

static void *syncer(void *arg)
{
    for (int i = 0; i < 100; i++)
        mount_flush(arg);
    return NULL;
}

static void *opener(void *arg)
{
    for (int i = 0; i < 100; i++)
        vnode_ref(arg);
    return NULL;
}

int main(void)
{
    pthread_t s, o;
    struct mount *mp = calloc(1, sizeof *mp);
    struct vnode *vp = calloc(1, sizeof *vp);

    pthread_mutex_init(&mp->mtx, NULL);
    pthread_mutex_init(&vp->interlock, NULL);
    vp->mp = mp;
    mp->vnodes = &vp->mount_link;
    pthread_create(&s, NULL, syncer, mp);
    pthread_create(&o, NULL, opener, vp);
    pthread_join(s, NULL);
    pthread_join(o, NULL);
    return 0;
}
