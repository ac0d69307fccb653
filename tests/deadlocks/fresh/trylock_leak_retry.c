#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t port = PTHREAD_MUTEX_INITIALIZER;
static int port_busy, sent, dropped;

static int port_ready(void)
{
    return !port_busy;
}

static int try_send(int packet)
{
    int tries = 3;

    while (tries--) {
        if (pthread_mutex_trylock(&port) != 0) {
            usleep(10);
            continue;
        }
        if (!port_ready()) {
            dropped++;
            return -1; /* LEAK */
        }
        sent += packet;
        pthread_mutex_unlock(&port);
        return 0;
    }
    return -2;
}

static void set_busy(int on)
{
    pthread_mutex_lock(&port);
    port_busy = on;
    pthread_mutex_unlock(&port);
}

static void *sender(void *arg)
{
    for (int i = 0; i < 100; i++)
        try_send(i);
    return arg;
}

int main(void)
{
    pthread_t s;

    set_busy(1);
    pthread_create(&s, NULL, sender, NULL);
    usleep(2000);
    set_busy(0);
    pthread_join(s, NULL);
    return 0;
}
