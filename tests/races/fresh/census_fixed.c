#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t nobody_left = PTHREAD_COND_INITIALIZER;
static int counting;
static unsigned heads, houses;

static void *taker(void *street)
{
    unsigned h = 0;
    for (const char *p = street; *p; p++)
        h += (unsigned)*p;

    __sync_fetch_and_add(&heads, h);
    pthread_mutex_lock(&m);
    if (h > 500)
        houses = h; // NORACE
    if (--counting == 0)
        pthread_cond_signal(&nobody_left);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void send_out(const char *street)
{
    pthread_t t;

    pthread_mutex_lock(&m);
    counting++;
    pthread_mutex_unlock(&m);
    if (pthread_create(&t, NULL, taker, (void *)street) == 0)
        pthread_detach(t);
}

int main(void)
{
    send_out("North");
    send_out("South");
    pthread_mutex_lock(&m);
    while (counting != 0)
        pthread_cond_wait(&nobody_left, &m);
    pthread_mutex_unlock(&m);
    printf("%u\n", houses);
    return 0;
}
