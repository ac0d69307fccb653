#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static int crossings;

static void cross_left_to_right(void)
{
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    crossings++;
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
}

static void cross_right_to_left(void)
{
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    crossings++;
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
}

static void *easterner(void *arg)
{
    for (int i = 0; i < 80; i++) {
        pthread_mutex_lock(&gate);
        cross_right_to_left();
        pthread_mutex_unlock(&gate);
    }
    return arg;
}

static void *westerner(void *arg)
{
    for (int i = 0; i < 80; i++) {
        pthread_mutex_lock(&gate);
        cross_left_to_right();
        pthread_mutex_unlock(&gate);
    }
    return arg;
}

int main(void)
{
    pthread_t e, w;

    pthread_create(&e, NULL, easterner, NULL);
    pthread_create(&w, NULL, westerner, NULL);
    pthread_join(e, NULL);
    pthread_join(w, NULL);
    printf("%d\n", crossings);
    return 0;
}
