#include <pthread.h>
#include <stdbool.h>

enum state { EMPTY, COOKED, SERVED };

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
static enum state state = EMPTY;
static int salt, plates;

static void *cook(void *arg)
{
    salt = 3; // NORACE
    pthread_mutex_lock(&mu);
    state = COOKED;
    pthread_cond_broadcast(&cv);
    pthread_mutex_unlock(&mu);
    return arg;
}

static void *waiter(void *arg)
{
    pthread_mutex_lock(&mu);
    while (state != COOKED)
        pthread_cond_wait(&cv, &mu);
    pthread_mutex_unlock(&mu);
    plates = salt + 1; // RACE!
    pthread_mutex_lock(&mu);
    state = SERVED;
    pthread_cond_broadcast(&cv);
    pthread_mutex_unlock(&mu);
    return arg;
}

static void *guest(void *arg)
{
    pthread_mutex_lock(&mu);
    while (state == EMPTY)
        pthread_cond_wait(&cv, &mu);
    pthread_mutex_unlock(&mu);
    return (void *)(long)plates;
    (void)arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, cook, 0);
    pthread_create(&b, 0, waiter, 0);
    pthread_create(&c, 0, guest, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
