#include <pthread.h>
#include <unistd.h>

static int active;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void gone(void *arg)
{
    (void)arg;
    active--; // RACE!
}

static void *session(void *arg)
{
    pthread_mutex_lock(&m);
    active++;
    pthread_mutex_unlock(&m);
    pthread_cleanup_push(gone, NULL);
    for (;;)
        usleep(1000);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, session, NULL);
    sleep(1);
    for (int i = 0; i < 4; i++)
        pthread_cancel(t[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return active;
}
