#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct session { int hits; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct session *current;

static void *visitor(void *arg)
{
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&lock);
        if (!current) {
            pthread_mutex_unlock(&lock);
            continue;
        }
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        current->hits++; /* STALE-CHECK */
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *closer(void *arg)
{
    for (int i = 0; i < 1000; i++) {
        struct session *s = calloc(1, sizeof *s);
        struct session *old;

        pthread_mutex_lock(&lock);
        old = current;
        current = s;
        pthread_mutex_unlock(&lock);
        free(old);
        pthread_mutex_lock(&lock);
        old = current;
        current = NULL;
        pthread_mutex_unlock(&lock);
        free(old);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, visitor, NULL);
    pthread_create(&b, NULL, closer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
