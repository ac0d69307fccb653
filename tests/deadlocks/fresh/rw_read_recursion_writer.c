#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

/* A writer between the two read locks of one thread stops it for good where writers are preferred. */
static pthread_rwlock_t dom = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int nodes[8], version;

static int node_value(int i)
{
    int v;

    pthread_rwlock_rdlock(&dom); /* TODO DOUBLE-LOCK: readers that come again wait only where a writer does */
    v = nodes[i];
    pthread_rwlock_unlock(&dom);
    return v;
}

static int sum_all(void)
{
    int sum = 0;

    pthread_rwlock_rdlock(&dom);
    for (int i = 0; i < 8; i++)
        sum += node_value(i);
    pthread_rwlock_unlock(&dom);
    return sum;
}

static void edit(int i, int v)
{
    pthread_rwlock_wrlock(&dom);
    nodes[i] = v;
    version++;
    pthread_rwlock_unlock(&dom);
}

static void *reader(void *arg)
{
    int s = 0;

    for (int i = 0; i < 50; i++)
        s += sum_all() + node_value(3);
    *(int *)arg = s;
    return NULL;
}

static void *editor(void *arg)
{
    for (int i = 0; i < 50; i++)
        edit(i & 7, i);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    int s;

    pthread_create(&a, NULL, reader, &s);
    pthread_create(&b, NULL, editor, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return s & 1;
}
