#include <pthread.h>
#include <stdio.h>

#define N 6

struct cell {
    pthread_mutex_t m;
    int state;
    int hits;
};

static struct cell cells[N];

static int find_free(void)
{
    int i;

    for (i = 0; i < N; i++) {
        pthread_mutex_lock(&cells[i].m);
        if (cells[i].state == 0) {
            cells[i].state = 1;
            break;
        }
        cells[i].hits++;
        pthread_mutex_unlock(&cells[i].m);
    }
    return i; /* LEAK */
}

static void release(int i)
{
    if (i >= N)
        return;
    pthread_mutex_lock(&cells[i].m);
    cells[i].state = 0;
    pthread_mutex_unlock(&cells[i].m);
}

static void *runner(void *arg)
{
    for (int i = 0; i < 20; i++)
        release(find_free());
    return arg;
}

int main(void)
{
    pthread_t a, b;

    for (int i = 0; i < N; i++)
        pthread_mutex_init(&cells[i].m, NULL);
    pthread_create(&a, NULL, runner, NULL);
    pthread_create(&b, NULL, runner, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
