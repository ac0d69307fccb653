#include <pthread.h>
#include <semaphore.h>

struct modem {
    pthread_mutex_t port;
    sem_t answered;
    int last;
};

static struct modem modem;

static void *rx_thread(void *arg)
{
    struct modem *m = arg;

    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&m->port);
        m->last = i;
        pthread_mutex_unlock(&m->port);
        sem_post(&m->answered);
    }
    return NULL;
}

static int modem_ask(struct modem *m)
{
    int r;

    pthread_mutex_lock(&m->port);
    m->last = -1;
    pthread_mutex_unlock(&m->port);
    while (sem_wait(&m->answered) != 0)
        ;
    pthread_mutex_lock(&m->port);
    r = m->last;
    pthread_mutex_unlock(&m->port);
    return r;
}

int main(void)
{
    pthread_t t;
    int sum = 0;

    pthread_mutex_init(&modem.port, NULL);
    sem_init(&modem.answered, 0, 0);
    pthread_create(&t, NULL, rx_thread, &modem);
    for (int i = 0; i < 5; i++)
        sum += modem_ask(&modem);
    pthread_join(t, NULL);
    return sum < 0;
}
