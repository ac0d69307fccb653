// racerx-verdict: shown
// What speaks against a leak: the way to the exit passes by something that lets the lock go, the function tells its
// caller by what it returns, a reader of a sequence counter only looks. What is forgotten is shown all the same.
#include <linux/mutex.h>
#include <linux/seqlock.h>

struct port {
    struct mutex lock;
    seqcount_t sequence;
    int state, closing, users;
};

int port_send(struct port *port, int size);

/* Forgotten: no unlock is anywhere on the way. */
int port_write(struct port *port, int size) {
    mutex_lock(&port->lock);
    if (size > 100)
        return -22; /* LEAK */
    port->users += size;
    mutex_unlock(&port->lock);
    return 0;
}

int port_write_repaired(struct port *port, int size) {
    mutex_lock(&port->lock);
    if (size > 100) {
        mutex_unlock(&port->lock);
        return -22; /* NOLEAK */
    }
    port->users += size;
    mutex_unlock(&port->lock);
    return 0;
}

/* A reader that goes away does not ask whether it was disturbed. */
int port_look(struct port *port, int *out) {
    unsigned int seq;
    do {
        seq = read_seqcount_begin(&port->sequence);
        if (port->state < 0)
            return -5; /* NOLEAK */
        *out = port->state;
    } while (read_seqcount_retry(&port->sequence, seq));
    return 0;
}
