#include <pthread.h>
#include <sched.h>
#include <stdio.h>

struct inode {
    pthread_mutex_t i_mutex;
    int nlink;
};

static struct inode dir = { PTHREAD_MUTEX_INITIALIZER, 2 };
static struct inode file = { PTHREAD_MUTEX_INITIALIZER, 1 };

static void link_file(struct inode *d, struct inode *f)
{
    pthread_mutex_lock(&d->i_mutex);
    pthread_mutex_lock(&f->i_mutex);
    d->nlink++;
    f->nlink++;
    pthread_mutex_unlock(&f->i_mutex);
    pthread_mutex_unlock(&d->i_mutex);
}

static void reap_file(struct inode *f, struct inode *d)
{
    for (;;) {
        pthread_mutex_lock(&f->i_mutex);
        if (pthread_mutex_trylock(&d->i_mutex) == 0)
            break;
        pthread_mutex_unlock(&f->i_mutex);
        sched_yield();
    }
    if (f->nlink > 0) {
        f->nlink--;
        d->nlink--;
    }
    pthread_mutex_unlock(&d->i_mutex);
    pthread_mutex_unlock(&f->i_mutex);
}

static void *linker(void *arg)
{
    for (int i = 0; i < 100; i++)
        link_file(&dir, &file);
    return arg;
}

static void *reaper(void *arg)
{
    for (int i = 0; i < 100; i++)
        reap_file(&file, &dir);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, linker, NULL);
    pthread_create(&b, NULL, reaper, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
