#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
static int rows, records;

static void *load(void *arg)
{
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&journal);
        records++;
        pthread_mutex_lock(&table); /* DEADLOCK */
        rows++;
        pthread_mutex_unlock(&table);
        pthread_mutex_unlock(&journal);
    }
    return arg;
}

static void *serve(void *arg)
{
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&table);
        rows--;
        pthread_mutex_lock(&journal); /* DEADLOCK */
        records++;
        pthread_mutex_unlock(&journal);
        pthread_mutex_unlock(&table);
    }
    return arg;
}

int main(void)
{
    pthread_t loader, server[2];

    if (pthread_create(&loader, NULL, load, NULL) != 0) {
        perror("loader");
        return 1;
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&server[i], NULL, serve, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(server[i], NULL);
    pthread_join(loader, NULL);
    printf("%d %d\n", rows, records);
    return 0;
}
