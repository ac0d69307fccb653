// No way of main() leads to attempt(): what it starts is entered where it is started, and the helper of that where it
// is called, under the lock.
#include <pthread.h>
#include <stdlib.h>

struct port {
    pthread_mutex_t lock;
    long sent;
};
static struct port *first;

static void count(struct port *p, int n) {
    p->sent += n; // NORACE
}

static void *sender(void *data) {
    struct port *p = data;
    pthread_mutex_lock(&p->lock);
    count(p, 1);
    pthread_mutex_unlock(&p->lock);
    return 0;
}

static void attempt(void) {
    pthread_t thread;
    pthread_create(&thread, 0, sender, first);
}

static void *reporter(void *data) {
    struct port *p = data;
    for (;;) {
        pthread_mutex_lock(&p->lock);
        p->sent = 0;
        pthread_mutex_unlock(&p->lock);
    }
}

void port_add(struct port *p, long n) {
    pthread_mutex_lock(&p->lock);
    p->sent += n;
    pthread_mutex_unlock(&p->lock);
}

int main(void) {
    pthread_t thread;
    int missed = 0;
    first = calloc(1, sizeof *first);
    pthread_mutex_init(&first->lock, 0);
    pthread_create(&thread, 0, reporter, first);
    if (missed)
        attempt();
    for (;;)
        port_add(first, 1);
}
