#include <pthread.h>
#include <stdio.h>

static unsigned short sines[360];
static int table_made;

static void make_table(void)
{
    for (int i = 0; i < 360; i++)
        sines[i] = (unsigned short)(i * (360 - i)); // RACE!
    table_made = 1; // RACE!
}

static unsigned sine(int deg)
{
    if (!table_made)
        make_table();
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
