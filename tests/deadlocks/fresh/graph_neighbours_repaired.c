#include <pthread.h>
#include <stdio.h>

#define N 4

struct vertex {
    pthread_mutex_t mtx;
    int value;
    int peer;
};

static struct vertex graph[N];

static void relax(int i)
{
    struct vertex *v = &graph[i];
    struct vertex *p = &graph[v->peer];

    struct vertex *lo = i < v->peer ? v : p;
    struct vertex *hi = i < v->peer ? p : v;
    pthread_mutex_lock(&lo->mtx);
    pthread_mutex_lock(&hi->mtx);
    v->value = (v->value + p->value) / 2;
    pthread_mutex_unlock(&p->mtx);
    pthread_mutex_unlock(&v->mtx);
}

static void *relaxer(void *arg)
{
    int from = *(int *)arg;

    for (int k = 0; k < 100; k++)
        relax((from + k) % N);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int start[2] = { 0, 1 };

    for (int i = 0; i < N; i++) {
        pthread_mutex_init(&graph[i].mtx, NULL);
        graph[i].peer = (i + 1) % N;
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, relaxer, &start[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
