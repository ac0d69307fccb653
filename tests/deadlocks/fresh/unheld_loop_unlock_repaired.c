#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

struct gate {
    pthread_mutex_t m;
    int open;
    int visitors;
};

static struct gate gate = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };

static int pass(struct gate *g, int tries)
{
    pthread_mutex_lock(&g->m);
    while (!g->open && tries-- > 0) {
        pthread_mutex_unlock(&g->m);
        usleep(100);
        pthread_mutex_lock(&g->m);
    }
    if (!g->open) {
        pthread_mutex_unlock(&g->m);
        return 0;
    }
    g->visitors++;
    pthread_mutex_unlock(&g->m);
    return 1;
}

static void set_open(struct gate *g, int on)
{
    pthread_mutex_lock(&g->m);
    g->open = on;
    pthread_mutex_unlock(&g->m);
}

static void *visitor(void *arg)
{
    for (int i = 0; i < 5; i++)
        pass(arg, 3);
    return NULL;
}

int main(void)
{
    pthread_t v;

    pthread_create(&v, NULL, visitor, &gate);
    usleep(300);
    set_open(&gate, 1);
    pthread_join(v, NULL);
    printf("%d\n", gate.visitors);
    return 0;
}
