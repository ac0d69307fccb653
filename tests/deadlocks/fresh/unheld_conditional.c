#include <pthread.h>
#include <stdio.h>

#define F_SHARED 1
#define F_DIRTY 2

struct page {
    pthread_mutex_t lock;
    unsigned flags;
    int writes;
};

static struct page page = { PTHREAD_MUTEX_INITIALIZER, F_SHARED, 0 };

static void page_write(struct page *p, unsigned how)
{
    if (how & F_SHARED)
        pthread_mutex_lock(&p->lock);
    p->writes++;
    p->flags |= F_DIRTY;
    pthread_mutex_unlock(&p->lock); /* UNHELD */
}

static void page_clean(struct page *p)
{
    pthread_mutex_lock(&p->lock);
    p->flags &= ~F_DIRTY;
    pthread_mutex_unlock(&p->lock);
}

static void *writer(void *arg)
{
    for (int i = 0; i < 100; i++)
        page_write(arg, i & 1);
    return NULL;
}

static void *cleaner(void *arg)
{
    for (int i = 0; i < 100; i++)
        page_clean(arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, writer, &page);
    pthread_create(&b, NULL, cleaner, &page);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
