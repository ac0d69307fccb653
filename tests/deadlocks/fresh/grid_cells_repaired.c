#include <pthread.h>
#include <stdlib.h>

#define SIDE 8
static pthread_mutex_t cells[SIDE][SIDE];
static int grains[SIDE][SIDE];

static void topple(int r, int c, int dr, int dc)
{
    int nr = r + dr, nc = c + dc;

    if (nr < 0 || nr >= SIDE || nc < 0 || nc >= SIDE)
        return;
    if (nr * SIDE + nc < r * SIDE + c) {
        pthread_mutex_lock(&cells[nr][nc]);
        pthread_mutex_lock(&cells[r][c]);
    } else {
        pthread_mutex_lock(&cells[r][c]);
        pthread_mutex_lock(&cells[nr][nc]);
    }
    grains[r][c]--;
    grains[nr][nc]++;
    pthread_mutex_unlock(&cells[nr][nc]);
    pthread_mutex_unlock(&cells[r][c]);
}

static void *down(void *arg)
{
    for (int i = 0; i < SIDE; i++)
        topple(i, i, 1, 0);
    return arg;
}

static void *up(void *arg)
{
    for (int i = SIDE - 1; i > 0; i--)
        topple(i, i - 1, -1, 0);
    return arg;
}

static void setup(void)
{
    for (int r = 0; r < SIDE; r++)
        for (int c = 0; c < SIDE; c++)
            pthread_mutex_init(&cells[r][c], NULL);
}

int main(void)
{
    pthread_t a, b;
    setup();
    pthread_create(&a, NULL, down, NULL);
    pthread_create(&b, NULL, up, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
