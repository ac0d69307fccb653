#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct device;
struct device_ops {
    const char *name;
    int (*open)(struct device *);
    int (*write)(struct device *, int);
    void (*flush)(struct device *);
};

struct device {
    const struct device_ops *ops;
    pthread_mutex_t lock;
    struct bus *bus;
    int buffered;
};

struct bus {
    pthread_mutex_t lock;
    struct device *devices[4];
    int transfers;
};

static int uart_open(struct device *d)
{
    d->buffered = 0;
    return 0;
}

static int uart_write(struct device *d, int byte)
{
    d->buffered += byte != 0;
    return 1;
}

static void uart_flush(struct device *d)
{
    struct bus *b = d->bus;

    pthread_mutex_lock(&b->lock);
    b->transfers += d->buffered;
    d->buffered = 0;
    pthread_mutex_unlock(&b->lock);
}

static const struct device_ops uart_ops = {
    .name = "uart",
    .open = uart_open,
    .write = uart_write,
    .flush = uart_flush,
};

static void device_send(struct device *d, int n)
{
    pthread_mutex_lock(&d->lock);
    for (int i = 0; i < n; i++)
        d->ops->write(d, i);
    d->ops->flush(d);
    pthread_mutex_unlock(&d->lock);
}

static int bus_pending(struct bus *b)
{
    int sum = 0;

    for (int i = 0; i < 4; i++) {
        struct device *d = b->devices[i];
        if (!d)
            continue;
        pthread_mutex_lock(&d->lock);
        sum += d->buffered;
        pthread_mutex_unlock(&d->lock);
    }
    return sum;
}

static struct bus the_bus;

static void *sender(void *arg)
{
    for (int i = 0; i < 100; i++)
        device_send(arg, 3);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct device *d = malloc(sizeof *d);

    pthread_mutex_init(&the_bus.lock, NULL);
    pthread_mutex_init(&d->lock, NULL);
    d->ops = &uart_ops;
    d->bus = &the_bus;
    d->ops->open(d);
    the_bus.devices[0] = d;
    pthread_create(&t, NULL, sender, d);
    for (int i = 0; i < 100; i++)
        bus_pending(&the_bus);
    pthread_join(t, NULL);
    free(d);
    return 0;
}
