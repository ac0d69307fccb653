#include <pthread.h>
#include <stdio.h>

static unsigned short sines[360];
static int table_made;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_table(void)
{
    for (int i = 0; i < 360; i++)
        sines[i] = (unsigned short)(i * (360 - i)); // NORACE
    table_made = 1; // NORACE
}

static unsigned sine(int deg)
{
    pthread_once(&once, make_table);
    return sines[deg % 360];
}

static void *wave(void *arg)
{
    unsigned s = 0;
    for (int i = 0; i < 1000; i++)
        s += sine(i * 7);
    printf("%s %u %d\n", (char *)arg, s, table_made);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, wave, "a");
    pthread_create(&b, NULL, wave, "b");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
