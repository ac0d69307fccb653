/* A probe: a bus that is acquired, a handler, threads. */
#include "mutex.h"
#include "rmutex.h"
#include "irq.h"
#include "ztimer.h"
#include "periph/i2c.h"
#include "periph/gpio.h"
#include "thread.h"

typedef struct {
    i2c_t i2c;
    mutex_t lock;
    rmutex_t nested;
    int value, scale, pulses;
} probe_t;

static probe_t probe;
static mutex_t table = MUTEX_INIT;
static int drops, kept;

int probe_read(probe_t *dev, int *out)
{
    i2c_acquire(dev->i2c);
    if (i2c_read_byte(dev->i2c, 1, out, 0) != 0) {
        return -1; /* LEAK */
    }
    i2c_release(dev->i2c);
    return 0;
}

int probe_scale(probe_t *dev, int scale)
{
    mutex_lock(&dev->lock);
    if (scale == 0) {
        mutex_unlock(&dev->lock);
        return -1;
    }
    mutex_lock(&table); /* DEADLOCK@a */
    dev->scale = scale;
    mutex_unlock(&table);
    mutex_unlock(&dev->lock);
    return 0;
}

void probe_list(probe_t *dev)
{
    mutex_lock(&table);
    if (mutex_trylock(&dev->lock)) { /* NODEADLOCK */
        mutex_unlock(&dev->lock);
    }
    mutex_lock(&dev->lock); /* DEADLOCK@a */
    dev->value = 0;
    mutex_unlock(&dev->lock);
    mutex_unlock(&table);
    rmutex_lock(&dev->nested);
    rmutex_lock(&dev->nested); /* NODOUBLE-LOCK */
    rmutex_unlock(&dev->nested);
    rmutex_unlock(&dev->nested);
}

static void probe_pulse(void *arg)
{
    (void)arg;
    drops++; /* RACE */
    kept++; /* NORACE */
}

int probe_drops(void)
{
    unsigned state = irq_disable();
    int n = kept;
    kept = 0; /* NORACE */
    ztimer_sleep(ZTIMER_MSEC, 1); /* SLEEP */
    irq_restore(state);
    drops -= n; /* RACE */
    return n;
}

int probe_init(probe_t *dev)
{
    mutex_init(&dev->lock);
    return gpio_init_int(4, GPIO_IN, GPIO_RISING, probe_pulse, dev);
}
