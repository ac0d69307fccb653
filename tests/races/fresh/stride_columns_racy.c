#include <pthread.h>

#define ROWS 40
#define COLS 120
#define THREADS 3

static int in[ROWS][COLS], out[ROWS][COLS];

/* Every thread takes the columns from its own on. */
static void *columns(void *arg)
{
    int first = (int)(long)arg;

    for (int c = first; c < COLS; c++)
        for (int r = 0; r < ROWS; r++)
            out[r][c] = in[r][c] * 2; // RACE!
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];

    for (int r = 0; r < ROWS; r++)
        in[r][r] = r; // NORACE
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, columns, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return out[1][1];
}
