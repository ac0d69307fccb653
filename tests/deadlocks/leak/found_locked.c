// What is found comes back locked: whoever found it lets it go, himself or by what he hands it to at last. An early
// way out in between keeps it.
#include <pthread.h>
#include <stddef.h>

struct ticket {
    pthread_mutex_t lock;
    struct ticket *next;
    int number, seats, paid;
};
struct desk {
    pthread_mutex_t lock;
    struct ticket *first;
};

static struct desk desk;
int allowed(int seats);
int print(struct ticket *ticket);

static struct ticket *ticket_find(int number) {
    struct ticket *ticket;
    pthread_mutex_lock(&desk.lock);
    for (ticket = desk.first; ticket && ticket->number != number; ticket = ticket->next)
        ;
    if (ticket)
        pthread_mutex_lock(&ticket->lock);
    pthread_mutex_unlock(&desk.lock);
    return ticket;
}

static void ticket_put(struct ticket *ticket) { pthread_mutex_unlock(&ticket->lock); }

/* Lets it go whatever happens: it is locked, so there is one. */
static int ticket_finish(struct ticket *ticket, int seats) {
    int result = -1;
    if (seats < 0)
        goto out;
    ticket->seats += seats;
    result = print(ticket);
out:
    if (ticket)
        ticket_put(ticket);
    return result;
}

int ticket_book(int number, int seats) {
    struct ticket *ticket;
    int result = -1;
    if (seats > 100)
        goto out;
    ticket = ticket_find(number);
    if (!ticket)
        goto out;
    if (allowed(ticket->seats) < 0)
        goto out;
    result = ticket_finish(ticket, seats);
out:
    return result; /* LEAK */
}

int ticket_pay(int number) {
    struct ticket *ticket = ticket_find(number);
    if (ticket == NULL)
        return -1;
    if (ticket->paid) {
        ticket_put(ticket);
        return 0;
    }
    ticket->paid = 1;
    return ticket_finish(ticket, 0); /* NOLEAK */
}

int ticket_count(const int *numbers, int count) {
    struct ticket *ticket;
    int paid = 0;
    for (int i = 0; i < count; i++) {
        if (!(ticket = ticket_find(numbers[i]))) /* NODOUBLE-LOCK */
            continue;
        paid += ticket->paid;
        ticket_put(ticket);
    }
    return paid; /* NOLEAK */
}
