#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct dir {
    struct dir *children, *sibling;
    long bytes;
};

static pthread_mutex_t fs_lock;
static struct dir *root;

static long dir_usage(struct dir *d)
{
    long sum;

    if (!d)
        return 0;
    pthread_mutex_lock(&fs_lock); /* DOUBLE-LOCK */
    sum = d->bytes;
    for (struct dir *c = d->children; c; c = c->sibling)
        sum += dir_usage(c);
    pthread_mutex_unlock(&fs_lock);
    return sum;
}

static struct dir *dir_add(struct dir *parent, long bytes)
{
    struct dir *d = calloc(1, sizeof *d);

    d->bytes = bytes;
    pthread_mutex_lock(&fs_lock);
    if (parent) {
        d->sibling = parent->children;
        parent->children = d;
    }
    pthread_mutex_unlock(&fs_lock);
    return d;
}

static void *measure(void *arg)
{
    *(long *)arg = dir_usage(root);
    return NULL;
}

int main(void)
{
    pthread_t t;
    long sum = 0;

    pthread_mutex_init(&fs_lock, NULL);
    root = dir_add(NULL, 1);
    dir_add(dir_add(root, 10), 100);
    pthread_create(&t, NULL, measure, &sum);
    dir_add(root, 1000);
    pthread_join(t, NULL);
    printf("%ld\n", sum);
    return 0;
}
