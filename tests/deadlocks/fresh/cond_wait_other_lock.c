#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t db_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t q_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t q_ready = PTHREAD_COND_INITIALIZER;
static int q_len, commits;

static void wait_for_item(void)
{
    pthread_mutex_lock(&q_lock);
    while (q_len == 0)
        pthread_cond_wait(&q_ready, &q_lock); /* DEADLOCK */
    q_len--;
    pthread_mutex_unlock(&q_lock);
}

static void *consumer(void *arg)
{
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&db_lock);
        wait_for_item();
        commits++;
        pthread_mutex_unlock(&db_lock);
    }
    return arg;
}

static void *producer(void *arg)
{
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&db_lock);
        int next = commits + i;
        pthread_mutex_unlock(&db_lock);
        if (next < 0)
            continue;
        pthread_mutex_lock(&q_lock);
        q_len++;
        pthread_cond_signal(&q_ready);
        pthread_mutex_unlock(&q_lock);
    }
    return arg;
}

int main(void)
{
    pthread_t c, p;

    pthread_create(&c, NULL, consumer, NULL);
    pthread_create(&p, NULL, producer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    printf("%d commits\n", commits);
    return 0;
}
