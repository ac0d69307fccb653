// racerx-verdict: shown
// looks_then_writes.c with the lock.
#include <pthread.h>

struct tickets {
    pthread_mutex_t lock;
    unsigned next, used;
};

static struct tickets tickets;

int ticket_take(void) {
    int number;
    pthread_mutex_lock(&tickets.lock);
    number = (int)tickets.next;
    tickets.next++;
    pthread_mutex_unlock(&tickets.lock);
    return number;
}

void ticket_skip(unsigned n) {
    pthread_mutex_lock(&tickets.lock);
    tickets.next += n;
    pthread_mutex_unlock(&tickets.lock);
}

unsigned ticket_peek(void) {
    unsigned next;
    pthread_mutex_lock(&tickets.lock);
    next = tickets.next;
    pthread_mutex_unlock(&tickets.lock);
    return next;
}

void ticket_back(unsigned number) {
    pthread_mutex_lock(&tickets.lock);
    if (number < tickets.next)
        tickets.next = number; /* NORACE */
    pthread_mutex_unlock(&tickets.lock);
}
