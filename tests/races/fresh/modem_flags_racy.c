#include <pthread.h>
#include <stdio.h>

/* Modem line state. tx_* belongs to tx_lock, rx_* belongs to rx_lock. */
struct modem {
    pthread_mutex_t tx_lock;
    pthread_mutex_t rx_lock;
    unsigned tx_busy : 1;
    unsigned rx_full : 1;
    unsigned baud    : 6;
    unsigned tx_cnt;
    unsigned rx_cnt;
};

static struct modem mdm = {
    .tx_lock = PTHREAD_MUTEX_INITIALIZER,
    .rx_lock = PTHREAD_MUTEX_INITIALIZER,
    .baud = 9,
};

static void mdm_send(struct modem *m)
{
    pthread_mutex_lock(&m->tx_lock);
    m->tx_busy = 1; // RACE!
    m->tx_cnt++;
    m->tx_busy = 0; // RACE!
    pthread_mutex_unlock(&m->tx_lock);
}

static void mdm_recv(struct modem *m)
{
    pthread_mutex_lock(&m->rx_lock);
    if (!m->rx_full) {
        m->rx_full = 1; // RACE!
        m->rx_cnt++;
    } else {
        m->rx_full = 0; // RACE!
    }
    pthread_mutex_unlock(&m->rx_lock);
}

static void *tx_thread(void *p)
{
    for (int i = 0; i < 1000; i++)
        mdm_send(p);
    return p;
}

static void *rx_thread(void *p)
{
    for (int i = 0; i < 1000; i++)
        mdm_recv(p);
    return p;
}

int main(void)
{
    pthread_t t, r;
    pthread_create(&t, NULL, tx_thread, &mdm);
    pthread_create(&r, NULL, rx_thread, &mdm);
    pthread_join(t, NULL);
    pthread_join(r, NULL);
    printf("tx %u rx %u baud %u\n", mdm.tx_cnt, mdm.rx_cnt, mdm.baud);
    return 0;
}
