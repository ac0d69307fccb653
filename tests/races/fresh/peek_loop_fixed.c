#include <pthread.h>
#include <stdio.h>

static int tasks = 500, finished;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int more(void)
{
     int left;
     pthread_mutex_lock(&mutex);
     left = tasks;
     pthread_mutex_unlock(&mutex);
     return left > 0;
}
 
static void *eat(void *arg)
{
     while (more()) {
        pthread_mutex_lock(&mutex);
        if (tasks > 0) {
            tasks--; // NORACE
            finished++; // NORACE
        }
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(t, NULL, eat, NULL);
    pthread_create(t + 1, NULL, eat, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    printf("%d\n", finished);
    return 0;
}
