#include <pthread.h>
#include <stdlib.h>

#define N 4096
#define HANDS 4

static float src[N], dst[N];

static void *blur(void *arg)
{
    long id = (long)arg;
    long chunk = N / HANDS;
    long lo = id * chunk, hi = lo + chunk;

    for (long i = lo; i < hi; i++) {
        float left = i > 0 ? src[i - 1] : 0;
        float right = i < N - 1 ? src[i + 1] : 0;
        dst[i] = (left + src[i] + right) / 3; // NORACE
    }
    return NULL;
}

int main(void)
{
    pthread_t hand[HANDS];

    for (int i = 0; i < N; i++)
        src[i] = rand() / 7.0f; // NORACE
    for (long i = 0; i < HANDS; i++)
        pthread_create(&hand[i], NULL, blur, (void *)i);
    for (int i = 0; i < HANDS; i++)
        pthread_join(hand[i], NULL);
    return dst[N / 2] > 0 && src[0] > 0 ? 0 : 1;
}
