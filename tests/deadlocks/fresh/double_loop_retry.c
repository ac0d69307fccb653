#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t dev = PTHREAD_MUTEX_INITIALIZER;
static int fails = 3, wrote;

static int hw_write(int v)
{
    if (fails-- > 0)
        return -EAGAIN;
    wrote = v;
    return 0;
}

static int dev_write(int v)
{
    int rc, tries = 5;

    do {
        pthread_mutex_lock(&dev); /* LEAK */
        rc = hw_write(v);
        if (rc == -EAGAIN) {
            usleep(100);
            continue;
        }
        pthread_mutex_unlock(&dev);
    } while (rc == -EAGAIN && --tries);
    return rc;
}

static void *user(void *arg)
{
    dev_write(*(int *)arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int x = 1, y = 2;

    pthread_create(&a, NULL, user, &x);
    pthread_create(&b, NULL, user, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
