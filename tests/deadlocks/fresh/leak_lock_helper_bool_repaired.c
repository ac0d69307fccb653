#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

struct radio { pthread_mutex_t lock; bool powered; int channel; };

static struct radio radio = { PTHREAD_MUTEX_INITIALIZER, true, 1 };

/* True: locked and powered. False: not locked. */
static bool radio_begin(struct radio *r)
{
    pthread_mutex_lock(&r->lock);
    if (!r->powered) {
        pthread_mutex_unlock(&r->lock);
        return false;
    }
    return true;
}

static void radio_end(struct radio *r)
{
    pthread_mutex_unlock(&r->lock);
}

static int radio_tune(struct radio *r, int channel)
{
    if (!radio_begin(r))
        return -1;
    if (channel < 1 || channel > 14) {
        radio_end(r);
        return -2;
    }
    r->channel = channel;
    radio_end(r);
    return 0;
}

static void radio_power(struct radio *r, bool on)
{
    pthread_mutex_lock(&r->lock);
    r->powered = on;
    pthread_mutex_unlock(&r->lock);
}

static void *scanner(void *arg)
{
    for (int c = 0; c < 20; c++)
        radio_tune(arg, c);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, scanner, &radio);
    radio_power(&radio, false);
    radio_power(&radio, true);
    pthread_join(t, NULL);
    return 0;
}
