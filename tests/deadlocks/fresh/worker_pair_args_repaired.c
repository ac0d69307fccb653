#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>

struct side { pthread_mutex_t *near, *far; int *count; };

static pthread_mutex_t north = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t south = PTHREAD_MUTEX_INITIALIZER;
static int crossed;

static void cross(struct side *s)
{
    pthread_mutex_lock(s->near);
    pthread_mutex_lock(s->far);
    ++*s->count;
    pthread_mutex_unlock(s->far);
    pthread_mutex_unlock(s->near);
}

static void *car(void *arg)
{
    for (int i = 0; i < 100; i++)
        cross(arg);
    return NULL;
}

int main(void)
{
    struct side up = { &south, &north, &crossed };
    struct side down = { &south, &north, &crossed };
    pthread_t a, b;

    pthread_create(&a, NULL, car, &up);
    pthread_create(&b, NULL, car, &down);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", crossed);
    return 0;
}
