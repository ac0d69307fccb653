#include <pthread.h>
#include <stdlib.h>

/* Sorters in both directions over one array of slots. */
#define N 32
struct slot { pthread_mutex_t m; int v; };
static struct slot line[N];

static void *upward(void *arg)
{
    for (int i = 0; i + 1 < N; i++) {
        pthread_mutex_lock(&line[i].m);
        pthread_mutex_lock(&line[i + 1].m); /* DEADLOCK@line */
        if (line[i].v > line[i + 1].v)
            line[i].v = line[i + 1].v;
        pthread_mutex_unlock(&line[i + 1].m);
        pthread_mutex_unlock(&line[i].m);
    }
    return arg;
}

static void *downward(void *arg)
{
    for (int i = N - 1; i > 0; i--) {
        pthread_mutex_lock(&line[i].m);
        pthread_mutex_lock(&line[i - 1].m); /* DEADLOCK@line */
        if (line[i].v < line[i - 1].v)
            line[i].v = line[i - 1].v;
        pthread_mutex_unlock(&line[i - 1].m);
        pthread_mutex_unlock(&line[i].m);
    }
    return arg;
}

static void setup(void)
{
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&line[i].m, NULL);
}

int main(void)
{
    pthread_t a, b;
    setup();
    pthread_create(&a, NULL, upward, NULL);
    pthread_create(&b, NULL, downward, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
